import { readFileSync } from 'node:fs'
import { contentPolicy, securityHeaders } from '@sealpost/web'
import { createServer, type InlineConfig, type Plugin, type ViteDevServer } from 'vite'

export interface DevSite {
  readonly url: string
  close(): Promise<void>
}

export interface DevSiteOptions {
  readonly config: InlineConfig
  readonly port: number
  readonly frontDoorUrl: string
  readonly apiOrigins: readonly string[]
  /** The path of a PEM file: who may seal PDFs. */
  readonly sealRoots: string
  /** For the portal: where customers connect. */
  readonly personAppUrl: string
}

/** A web app with reload, under the policy of production: what it refuses there it refuses here. */
export async function serveWebApp({
  config,
  port,
  frontDoorUrl,
  apiOrigins,
  sealRoots,
  personAppUrl,
}: DevSiteOptions): Promise<DevSite> {
  // Vite itself has inline styles and scripts and talks to its page; a nonce and a socket let in these and no others.
  const nonce = crypto.randomUUID()
  const policy = contentPolicy([frontDoorUrl, ...apiOrigins, `ws://localhost:${port}`])
    .replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`)
    .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
    .replace('trusted-types sealpost', 'trusted-types sealpost vite-overlay')
  const server: ViteDevServer = await createServer({
    ...config,
    html: { cspNonce: nonce },
    plugins: [...(config.plugins ?? []), withAddresses(frontDoorUrl, personAppUrl), withSealRoots(sealRoots)],
    server: { host: 'localhost', port, strictPort: true, headers: { ...securityHeaders(policy) } },
  })
  await server.listen()
  return { url: `http://localhost:${port}`, close: () => server.close() }
}

function withAddresses(frontDoorUrl: string, personAppUrl: string): Plugin {
  return {
    name: 'addresses',
    transformIndexHtml: (html) =>
      html.replace('%front-door-url%', frontDoorUrl).replace('%person-app-url%', personAppUrl),
  }
}

function withSealRoots(path: string): Plugin {
  return {
    name: 'seal-roots',
    configureServer({ middlewares }) {
      middlewares.use('/seal-roots.pem', (_request, response) => response.end(readFileSync(path)))
    },
  }
}
