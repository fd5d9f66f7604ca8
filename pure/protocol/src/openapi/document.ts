import type { ApiDocument, Operation } from '../operation.ts'
import { allOperations } from '../operations/index.ts'
import { apiDocuments, readErrorsPage } from '../operations/reference.ts'
import { createComponents } from './components.ts'
import { DEFAULT_HEADER_VENDOR, headerComponents, parameterComponents } from './headers.ts'
import type { JsonObject } from './json.ts'
import { operationObject, tagOf } from './operation-object.ts'
import { WEBHOOK_TAG, webhookObjects } from './webhook-objects.ts'

export interface OpenApiOptions {
  /** Semver of the API; the major number is what the version header says. */
  readonly version: string
  /** The address of the front door; a placeholder when the document is printed for no particular installation. */
  readonly frontDoorUrl?: string
  /** The base addresses of the regions; a placeholder likewise. */
  readonly apiUrls?: readonly string[]
  readonly headerVendor?: string
  /** Every route of the installation unless a test hands in its own. */
  readonly operations?: readonly Operation[]
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: JsonObject
  readonly externalDocs: JsonObject
  readonly servers: readonly JsonObject[]
  readonly tags: readonly JsonObject[]
  readonly paths: Readonly<Record<string, JsonObject>>
  /** In the document for the backend of a service. */
  readonly webhooks?: JsonObject
  readonly components: JsonObject
}

const FRONT_DOOR_PLACEHOLDER = 'https://sealpost.example'
const FORWARDER_VARIABLE = {
  default: 'https://forwarder.sealpost.example',
  description: '`forwarder_url` beside the pass',
}
const REGION_PLACEHOLDER = 'https://eu.sealpost.example'

/** Prints one of the OpenAPI 3.1 documents from its operations. The same input gives the same text. */
export function openApiDocument(document: ApiDocument, options: OpenApiOptions): OpenApiDocument {
  const operations = (options.operations ?? allOperations).filter((operation) => operation.document === document)
  const vendor = options.headerVendor ?? DEFAULT_HEADER_VENDOR
  const components = createComponents()
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations.toSorted(byPath)) {
    const printed = operationObject(operation, components, vendor)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: printed }
  }
  const webhooks = document === 'company-data' ? { webhooks: webhookObjects(components, vendor) } : {}
  const tags = [...operations.map(tagOf), ...('webhooks' in webhooks ? [WEBHOOK_TAG] : [])]
  return {
    openapi: '3.1.0',
    info: info(document, options.version),
    externalDocs: { description: 'Every error key', url: `${frontDoorUrl(options)}${readErrorsPage.path}` },
    servers: servers(document, options),
    tags: [...new Set(tags)].toSorted().map((name) => ({ name })),
    paths,
    ...webhooks,
    components: {
      schemas: sorted(components.schemas),
      responses: sorted(components.responses),
      examples: sorted(components.examples),
      headers: headerComponents(vendor),
      parameters: parameterComponents(),
      securitySchemes: securitySchemes(options),
    },
  }
}

function info(document: ApiDocument, version: string): JsonObject {
  const { title, about } = apiDocuments[document]
  const conventions =
    'Times are UTC with an offset, ids are opaque. Every refusal is `{error, error_key}` plus members of the key; ' +
    'branch on `error_key`. Authenticated routes under `/api` answer XML to `Accept: application/xml`: root ' +
    '`<response>`, one element per member, lists as repeated `<item>`. Request bodies are JSON.'
  return { title: `Sealpost: ${title}`, version, description: `${about}\n\n${conventions}` }
}

function servers(document: ApiDocument, options: OpenApiOptions): readonly JsonObject[] {
  if (document === 'front-door') return [{ url: frontDoorUrl(options), description: 'The front door' }]
  if (document === 'forwarder') return [{ url: '{forwarder_url}', variables: { forwarder_url: FORWARDER_VARIABLE } }]
  if (options.apiUrls !== undefined) return options.apiUrls.map((url) => ({ url, description: 'A region' }))
  const variable = { default: REGION_PLACEHOLDER, description: '`api_url` of the token response' }
  return [{ url: '{api_url}', variables: { api_url: variable } }]
}

function securitySchemes(options: OpenApiOptions): JsonObject {
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token from `POST /oauth2/token`.' },
    clientCredentials: {
      type: 'oauth2',
      description: 'For service and account clients. The answer names the base address of data calls in `api_url`.',
      flows: { clientCredentials: { tokenUrl: `${frontDoorUrl(options)}/oauth2/token`, scopes: {} } },
    },
  }
}

function frontDoorUrl(options: OpenApiOptions): string {
  return options.frontDoorUrl ?? FRONT_DOOR_PLACEHOLDER
}

function byPath(a: Operation, b: Operation): number {
  if (a.path === b.path) return a.method < b.method ? -1 : 1
  return a.path < b.path ? -1 : 1
}

function sorted(named: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
