# The servers and the web apps as one image; compose.yaml says what each container of it runs.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm run build

# Bundles leave some packages outside, because they are native or read files of their own.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /build
COPY . .
RUN npm ci --omit=dev --no-audit --no-fund --workspace=@sealpost/front-door --workspace=@sealpost/region

# Root: a region reads untrusted files as another user, and only root can become one.
FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /build/node_modules ./node_modules
COPY --from=build /build/dist ./
