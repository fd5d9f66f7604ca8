import { type ApiDocument, apiDocumentNames, openApiDocument } from '@sealpost/protocol'

/** A route of the OpenAPI documents. */
export interface MatrixRoute {
  readonly id: string
  readonly document: ApiDocument
  readonly method: string
  readonly path: string
  /** The names of the path parameters, in order. */
  readonly params: readonly string[]
  readonly hasBody: boolean
  /** The body is a form, not JSON. */
  readonly isForm: boolean
  /** The documented success. */
  readonly status: number
}

/** Every route of every OpenAPI document. */
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
