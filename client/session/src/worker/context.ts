import type { Bytes, PasswordWrap } from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'
import type { AccountKey, AccountSecurity, KeyPins } from '@sealpost/sdk'
import { FailureError } from '@sealpost/ui/failure'
import type { AccountKeys, KdfParameters, Login } from '@sealpost/vault'
import type { DeviceStore } from './device-store.ts'
import type { KeptAccess } from './keep-access.ts'
import type { SessionCalls, UserType } from './session-calls.ts'

/** What the session needs of the client of an account. */
export interface SessionClient {
  readonly security: AccountSecurity
  me(): Promise<AccountFacts>
  /** The private keys, wrapped by the password; only companies have the second. */
  readKeys(): Promise<{
    readonly encrypted_private_key: PasswordWrap
    readonly encrypted_recovery_key?: PasswordWrap | null
  }>
}

export interface AccountFacts {
  readonly id: string
  readonly email: string
  readonly display_name: string
  readonly share_code: string
  readonly region: string
}

/** An account whose private key is in this worker. */
export interface OpenAccount {
  readonly accountId: string
  readonly email: string
  readonly displayName: string
  readonly client: SessionClient
  /** Wrapped again when this device or the password changes. */
  readonly privateKey: Secret<Bytes>
  readonly publicKey: string
  /** After a login by password: proves the password once more. */
  readonly login: Login | null
  readonly recoveryCode: Secret<string> | null
  /** The password was proven later, by another session than the one that opened the account. */
  readonly isReproven: boolean
  /** Ends what runs in the background while the account is open. */
  readonly ending: AbortController
}

/** A registration between its form and the code of its mail. */
export interface PendingRegistration {
  readonly email: string
  readonly token: string
  readonly kdf: KdfParameters
  readonly login: Login
  readonly keys: AccountKeys
  readonly recoveryCode: Secret<string>
}

/** What a client of the app is made of. Its key comes later: the client itself reads the wrapped one. */
export interface ClientUses {
  readonly accessToken: KeptAccess['accessToken']
  readonly pins: (me: () => Promise<{ readonly id: string }>) => KeyPins
  readonly key: () => Promise<AccountKey>
}

/** First argument of the commands of the session; an app adds to it what its own commands need. */
export interface SessionContext<Account extends OpenAccount = OpenAccount> {
  readonly userType: UserType
  readonly frontDoorUrl: string
  readonly calls: SessionCalls
  readonly access: KeptAccess
  readonly store: DeviceStore
  /** Tells the platform in the background what this device has forgotten. */
  readonly tellEnd: () => void
  /** Everything that pages read of an account. */
  readonly topics: readonly string[]
  /** Tells the pages to read again. */
  changed(...topics: readonly string[]): void
  openClient(uses: ClientUses): Account['client']
  /** Adds what the app keeps with an open account, and starts what runs until `ending`. */
  complete(account: OpenAccount & Pick<Account, 'client'>, key: AccountKey): Promise<Account>
  open: Account | null
  pending: PendingRegistration | null
}

export function requireOpen<Account extends OpenAccount>({ open }: { readonly open: Account | null }): Account {
  if (open !== null) return open
  throw new FailureError({ kind: 'locked' })
}
