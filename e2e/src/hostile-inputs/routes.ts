import { apiDocumentNames, openApiDocument } from '@sealpost/protocol'
import { documentedRoutes, type MatrixRoute } from '../matrix/routes.ts'
import type { Definitions, Schema } from './grammar.ts'

/** A route with the schemas of what it takes. */
export interface HostileRoute {
  readonly route: MatrixRoute
  readonly body: Schema | null
  readonly query: readonly { readonly name: string; readonly schema: Schema }[]
  readonly definitions: Definitions
}

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly schema?: Schema
}

interface Described {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

interface Printed {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components?: { readonly schemas?: Definitions; readonly parameters?: Readonly<Record<string, Parameter>> }
}

function print(name: (typeof apiDocumentNames)[number]): Printed {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed by our own function, in this process
  return openApiDocument(name, { version: '1.0.0' }) as Printed
}

export function hostileRoutes(): readonly HostileRoute[] {
  const documents = new Map<string, Printed>(apiDocumentNames.map((name) => [name, print(name)]))
  return documentedRoutes().map((route) => {
    const document = documents.get(route.document)
    const described = document?.paths[route.path]?.[route.method.toLowerCase()]
    const parameters = (described?.parameters ?? []).map((parameter) => {
      const shared = parameter.$ref?.slice(parameter.$ref.lastIndexOf('/') + 1)
      return shared === undefined ? parameter : (document?.components?.parameters?.[shared] ?? {})
    })
    return {
      route,
      body: Object.values(described?.requestBody?.content ?? {})[0]?.schema ?? null,
      query: parameters.flatMap(({ in: where, name = '', schema = {} }) =>
        where === 'query' ? [{ name, schema }] : [],
      ),
      definitions: document?.components?.schemas ?? {},
    }
  })
}
