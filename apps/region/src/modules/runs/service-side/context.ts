import type { Tx } from '@sealpost/postgres'
import type { RunCopy, RunStart, RunState } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { DocumentsContext } from '../../documents/index.ts'
import type { TemplateReader } from '../../flows/index.ts'
import type { MailContext } from '../../mail/index.ts'
import type { ServicesContext } from '../../services/index.ts'
import type { Evaluate } from '../evaluation/open-evaluation.ts'
import type { FileHandle } from '../model.ts'
import type { BoundCustomer, SourceFile, StoredObject, StoredRun } from './model.ts'

export interface ServiceSideContext extends Platform {
  readonly services: ServicesContext
  readonly reader: TemplateReader
  readonly evaluate: Evaluate
  readonly mail: MailContext
  readonly messages: RunMessages
  readonly documents: DocumentsContext
}

/** A customer of a run, as messages name one. */
export interface Addressee {
  readonly userId: string
  readonly customer: Pick<BoundCustomer, 'connectionId' | 'region'>
}

/** What a customer's region is told. `start`: of a new run. */
export interface RunNews {
  readonly to: Addressee
  readonly state: RunState
  readonly start: RunStart | null
  readonly answers: readonly RunCopy[]
}

/** An object for a few minutes. */
export interface Offer {
  readonly url: string
  readonly sha256: string
  readonly bytes: number
}

/** The asks and tells that this side sends; `bus/service.ts` implements it. */
export interface RunMessages {
  /** Ordered by the connection; one of each customer. */
  tellRun(tx: Tx, run: StoredRun, news: readonly RunNews[]): Promise<void>
  tellFile(
    tx: Tx,
    run: StoredRun,
    to: Addressee,
    file: { readonly id: FileHandle; readonly slug: string; readonly object: StoredObject },
  ): Promise<void>
  /** False when the customer's region did not take the copy. */
  askToStage(source: SourceFile & { readonly companyId: string }, offer: Offer): Promise<boolean>
  /** The language of a customer's profile; null for an unknown account. */
  askForLanguage(run: StoredRun, to: Addressee): Promise<string | null>
  /** Null when the customer's region does not have it. */
  askForSource(source: SourceFile & { readonly companyId: string }): Promise<Offer | null>
}
