import Type from 'typebox'
import { type ApiDocument, defineOperation, type ServedDocument } from '../operation.ts'

/** Title and description of each OpenAPI document. */
export const apiDocuments = {
  'company-data': {
    title: 'Company data API',
    about: 'For the backend of a service: connections, values, files, changes, request fields and keys.',
  },
  account: {
    title: 'Account API',
    about: 'For managing a company account: services, clients, fields, webhooks, delegates and sign-in apps.',
  },
  customer: {
    title: 'Customer API',
    about: 'For persons and for companies that are customers of others: connect, share, answer.',
  },
  'front-door': {
    title: 'Front door',
    about: 'Tokens, discovery and regions: the one address that never changes.',
  },
  forwarder: {
    title: 'Plugin forwarder',
    about: 'Carries sealed questions to plugins; a pass in the body is all that it needs.',
  },
} as const satisfies Record<ApiDocument, { readonly title: string; readonly about: string }>

/** In the order of the reference page. */
export const apiDocumentNames: readonly ServedDocument[] = ['company-data', 'account', 'customer', 'front-door']

export function openApiPath(document: ApiDocument): `/${string}` {
  return `/api/openapi/${document}.json`
}

const anyMembers = Type.Object({}, { additionalProperties: true })
const OpenApiAnswer = Type.Object(
  { openapi: Type.String(), info: anyMembers, paths: anyMembers },
  { title: 'OpenApiDocument', additionalProperties: true },
)

export const readCompanyDataReference = readReference('company-data')
export const readAccountReference = readReference('account')
export const readCustomerReference = readReference('customer')
export const readFrontDoorReference = readReference('front-door')

export const readReferencePage = defineOperation({
  id: 'reference.read_page',
  method: 'GET',
  path: '/api/docs',
  document: 'front-door',
  summary: 'The API reference for browsers',
  description: 'Swagger UI over the OpenAPI documents.',
  callers: [],
  rate: null,
  success: { status: 200, about: 'A page', mediaType: 'text/html' },
  errors: [],
})

export const readErrorsPage = defineOperation({
  id: 'reference.read_errors_page',
  method: 'GET',
  path: '/docs/errors',
  document: 'front-door',
  summary: 'Every error key, for browsers',
  description: 'What each error means and what to do. The `Link` header of a refusal leads to the entry of its key.',
  callers: [],
  rate: null,
  success: { status: 200, about: 'A page', mediaType: 'text/html; charset=utf-8' },
  errors: [],
})

export const readRoot = defineOperation({
  id: 'reference.read_root',
  method: 'GET',
  path: '/',
  document: 'front-door',
  summary: 'Leads to the API reference',
  callers: [],
  rate: null,
  success: { status: 303, about: 'The address of the API reference' },
  errors: [],
})

function readReference(document: ServedDocument) {
  return defineOperation({
    id: `reference.read_${document.replace('-', '_')}`,
    method: 'GET',
    path: openApiPath(document),
    document: 'front-door',
    summary: `${apiDocuments[document].title} as OpenAPI 3.1`,
    callers: [],
    rate: null,
    success: { status: 200, about: 'The OpenAPI document', body: OpenApiAnswer },
    errors: [],
  })
}
