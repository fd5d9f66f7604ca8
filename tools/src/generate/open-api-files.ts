import { API_VERSION, type ApiDocument, apiDocumentNames, openApiDocument } from '@sealpost/protocol'

/** The committed documents have placeholders for addresses; the front door serves them with its own. */
export function openApiFiles(): readonly (readonly [path: string, text: string])[] {
  return apiDocumentNames.map((document) => [
    openApiFile(document),
    `${JSON.stringify(openApiDocument(document, { version: API_VERSION }), null, 2)}\n`,
  ])
}

export function openApiFile(document: ApiDocument): string {
  return `docs/api/${document}.json`
}
