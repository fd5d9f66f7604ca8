import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import { apiDocumentNames, apiDocuments, openApiPath, readReferencePage } from '@sealpost/protocol'
import { icon, logo } from './assets.ts'

export interface ReferenceAddresses {
  readonly frontDoorUrl: string
  readonly apiUrls: readonly string[]
}

/** Swagger UI under our name. The page may call the front door and the regions, so that its examples can be tried. */
export function referencePage({ frontDoorUrl, apiUrls }: ReferenceAddresses): FastifySwaggerUiOptions {
  const urls = apiDocumentNames.map((document) => ({ name: apiDocuments[document].title, url: openApiPath(document) }))
  const favicon = { filename: 'icon.svg', rel: 'icon', type: icon.mediaType, sizes: 'any', content: icon.bytes }
  const callable = [frontDoorUrl, ...apiUrls].map((url) => new URL(url).origin)
  return {
    routePrefix: readReferencePage.path,
    theme: { title: 'Sealpost API reference', favicon: [favicon] },
    logo: { type: logo.mediaType, content: logo.bytes, href: '/', target: '_self' },
    uiConfig: { urls },
    staticCSP: true,
    transformStaticCSP: (policy) =>
      [
        // Where this page has no TLS, the regions have none.
        frontDoorUrl.startsWith('https:') ? policy : policy.replace(/\s*upgrade-insecure-requests;/, ''),
        `connect-src 'self' ${[...new Set(callable)].join(' ')};`,
      ].join(' '),
  }
}
