import type { CallOptions } from './options.ts'
import { everyItem, pageQuery } from './pages.ts'
import {
  changeOAuthApp,
  createOAuthApp,
  deleteOAuthApp,
  listOAuthApps,
  readOAuthApp,
  regenerateOAuthAppSecret,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ChangeOAuthAppAnswer,
  CreateOAuthAppAnswer,
  ListOAuthAppsAnswer,
  ReadOAuthAppAnswer,
  RegenerateOAuthAppSecretAnswer,
} from './shapes.generated.ts'

export type SignInAppRecord = ListOAuthAppsAnswer['items'][number]

/** A value that an app requests from its users. */
export interface AppClaim {
  readonly name: string
  /** A field type whose values are text, or `plugin`. */
  readonly type: string
  readonly label?: string | null
  readonly suggest?: string | null
  readonly required?: boolean
  readonly verified?: boolean
  readonly verified_max_age_days?: number | null
  /** Of a claim that a plugin answers: a field type of it that requires no input. */
  readonly plugin?: { readonly plugin_id?: string; readonly plugin_name?: string; readonly field_type: string } | null
}

export interface SignInAppSettings {
  readonly name: string
  /** Matched exactly: https, or http on loopback. */
  readonly redirect_uris: readonly string[]
  readonly service_id?: string | null
  /** Requests with `response_mode=detached`, for apps with a secret. Sent by users of the company, not by account clients. */
  readonly detached?: boolean
  readonly require_2fa?: boolean
  readonly claims_delivery?: SignInAppRecord['claims_delivery']
  readonly claims?: readonly AppClaim[]
}

export interface NewSignInApp extends SignInAppSettings {
  /** False for apps that cannot keep a secret; they use PKCE. Cannot be changed later. */
  readonly confidential?: boolean
  /** base64 of the DER SubjectPublicKeyInfo of an RSA-2048 key. */
  readonly public_key: string
  readonly encrypted_private_key: {
    readonly iter: number
    readonly salt: string
    readonly iv: string
    readonly data: string
  }
}

/** Account clients need the capability `oauth_apps`. */
export class SignInApps {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The `client_secret` of a confidential app is shown in this answer only. */
  create(app: NewSignInApp, options?: CallOptions): Promise<CreateOAuthAppAnswer> {
    return this.#send(createOAuthApp, { body: app }, options)
  }

  /** All apps, oldest first, read page by page. */
  list(options?: CallOptions): AsyncGenerator<SignInAppRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listOAuthApps, { query: pageQuery(cursor) }, options))
  }

  read(clientId: string, options?: CallOptions): Promise<ReadOAuthAppAnswer> {
    return this.#send(readOAuthApp, { params: { id: clientId } }, options)
  }

  /** Members that are left out stay as they are; `redirect_uris` replaces the whole set. */
  change(clientId: string, change: Partial<SignInAppSettings>, options?: CallOptions): Promise<ChangeOAuthAppAnswer> {
    return this.#send(changeOAuthApp, { params: { id: clientId }, body: change }, options)
  }

  /** When this resolves, the old secret and every token of the app have ended. */
  regenerateSecret(clientId: string, options?: CallOptions): Promise<RegenerateOAuthAppSecretAnswer> {
    return this.#send(regenerateOAuthAppSecret, { params: { id: clientId } }, options)
  }

  delete(clientId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteOAuthApp, { params: { id: clientId } }, options)
  }
}
