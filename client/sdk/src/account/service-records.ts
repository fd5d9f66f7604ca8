import type { FlowRun, FlowRunSummary } from '../flows/run.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  deletePortalDocument,
  deletePortalRun,
  listPortalDocuments,
  listPortalRuns,
  readPortalDocument,
  readPortalRun,
} from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { DocumentFilter, DocumentRecord } from '../service/documents.ts'
import { type RunFilter, runQuery } from '../service/run-filter.ts'

/**
 * The documents and runs of a service, also of a deleted one, whose evidence stays with the company. `runDocuments` opens
 * the company's copies. Portal logins only.
 */
export class ServiceRecords {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** All documents, oldest first, read page by page. */
  documents(
    serviceId: string,
    filter: DocumentFilter = {},
    options?: CallOptions,
  ): AsyncGenerator<DocumentRecord, void, undefined> {
    const params = { id: serviceId }
    return everyItem((cursor) =>
      this.#send(listPortalDocuments, { params, query: { ...filter, ...pageQuery(cursor) } }, options),
    )
  }

  document(serviceId: string, documentId: string, options?: CallOptions): Promise<DocumentRecord> {
    return this.#send(readPortalDocument, { params: { id: serviceId, docId: documentId } }, options)
  }

  /** Of a deleted service any document but those of runs; the customer keeps the copy. The company itself only. */
  deleteDocument(serviceId: string, documentId: string, options?: CallOptions): Promise<void> {
    return this.#send(deletePortalDocument, { params: { id: serviceId, docId: documentId } }, options)
  }

  /** The runs of all flows, oldest first, read page by page. */
  runs(
    serviceId: string,
    filter: RunFilter = {},
    options?: CallOptions,
  ): AsyncGenerator<FlowRunSummary, void, undefined> {
    const params = { id: serviceId }
    return everyItem((cursor) =>
      this.#send(listPortalRuns, { params, query: { ...runQuery(filter), ...pageQuery(cursor) } }, options),
    )
  }

  run(serviceId: string, runId: string, options?: CallOptions): Promise<FlowRun> {
    return this.#send(readPortalRun, { params: { id: serviceId, runId } }, options)
  }

  /** Of a deleted service, with its documents; the other participants keep theirs. The company itself only. */
  deleteRun(serviceId: string, runId: string, options?: CallOptions): Promise<void> {
    return this.#send(deletePortalRun, { params: { id: serviceId, runId } }, options)
  }
}
