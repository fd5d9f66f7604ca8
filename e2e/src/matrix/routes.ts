import { type ApiDocument, apiDocumentNames, openApiDocument } from '@sealpost/protocol'

/** A route as the OpenAPI documents show it to the world. */
export interface MatrixRoute {
  readonly id: string
  readonly document: ApiDocument
  readonly method: string
  readonly path: string
  /** The names in braces, in order. */
  readonly params: readonly string[]
  readonly hasBody: boolean
  /** JSON is not taken. */
  readonly isForm: boolean
  /** The success that the document promises. */
  readonly status: number
}

/** Every route of every document: what is not described there does not exist for anybody. */
export function documentedRoutes(): readonly MatrixRoute[] {
  return apiDocumentNames.flatMap((document) => {
    const { paths } = openApiDocument(document, { version: '1.0.0' })
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => readRoute(document, path, method, described)),
    )
  })
}

interface Described {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, unknown>>
}

function readRoute(document: ApiDocument, path: string, method: string, described: unknown): MatrixRoute {
  const { operationId, requestBody, responses } = asDescribed(described)
  return {
    id: operationId,
    document,
    method: method.toUpperCase(),
    path,
    params: [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name),
    hasBody: requestBody !== undefined,
    isForm: requestBody !== undefined && !('application/json' in requestBody.content),
    status: Number(Object.keys(responses).find((status) => /^[23]\d\d$/.test(status))),
  }
}

function asDescribed(described: unknown): Described {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed by our own function, in this process
  return described as Described
}
