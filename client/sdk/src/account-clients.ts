import type { CallOptions } from './options.ts'
import { everyItem, pageQuery } from './pages.ts'
import {
  changeAccountClient,
  createAccountClient,
  deleteAccountClient,
  listAccountClients,
  regenerateAccountClientSecret,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ChangeAccountClientAnswer,
  CreateAccountClientAnswer,
  ListAccountClientsAnswer,
  RegenerateAccountClientSecretAnswer,
} from './shapes.generated.ts'

export type AccountClientRecord = ListAccountClientsAnswer['items'][number]
export type Capability = AccountClientRecord['capabilities'][number]

export interface NewAccountClient {
  readonly name: string
  /** Empty: the baseline only, which is the account, its profile and the field types. */
  readonly capabilities: readonly Capability[]
  /** Required for authorization codes only. */
  readonly redirect_uri?: string | null
  /** 1 to 64 characters of `a-z 0-9 _ . : -`, unique in the account and never changed. */
  readonly purpose?: string | null
}

export interface AccountClientChange {
  /** Replaces the client's present capabilities. */
  readonly capabilities: readonly Capability[]
  /** Left out: unchanged. Null: removed. */
  readonly redirect_uri?: string | null
}

/** Portal logins only: a client cannot create or change clients. */
export class AccountClients {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** `client_secret` is shown in this answer only. */
  create(client: NewAccountClient, options?: CallOptions): Promise<CreateAccountClientAnswer> {
    return this.#send(createAccountClient, { body: client }, options)
  }

  /** All account clients, oldest first, read page by page. */
  list(options?: CallOptions): AsyncGenerator<AccountClientRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listAccountClients, { query: pageQuery(cursor) }, options))
  }

  change(clientId: string, change: AccountClientChange, options?: CallOptions): Promise<ChangeAccountClientAnswer> {
    return this.#send(changeAccountClient, { params: { id: clientId }, body: change }, options)
  }

  /** When this resolves, the old secret and every token of the client have ended. */
  regenerateSecret(clientId: string, options?: CallOptions): Promise<RegenerateAccountClientSecretAnswer> {
    return this.#send(regenerateAccountClientSecret, { params: { id: clientId } }, options)
  }

  delete(clientId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteAccountClient, { params: { id: clientId } }, options)
  }
}
