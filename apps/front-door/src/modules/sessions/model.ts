import type { RegionCode, Secret, UserId } from '@sealpost/kernel'
import type { Kdf, PasswordWrap } from '@sealpost/protocol'

export type UserType = 'person' | 'company'

/** Where a login comes from. */
export interface LoginSource {
  /** The name of the source address. */
  readonly address: string
  /** Tokens of devices that have logged in before; any of them may be of another account, or forged. */
  readonly knownDevices: readonly Secret<string>[]
}

export interface Login {
  readonly email: string
  readonly verifier: Secret<string>
  readonly otp: string | null
  readonly trustDevice: boolean
  readonly deviceTokens: readonly Secret<string>[]
  readonly deviceName: string
  /** The trusted device on which the session is used. */
  readonly deviceId: string | null
  readonly from: LoginSource
  /** The source address shortened, for the list of sessions. */
  readonly network: string
}

export interface TokenAnswer {
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly access_token: string
  readonly api_url: string
}

/** A token that goes into a cookie. */
export interface CookieToken {
  readonly token: Secret<string>
  readonly seconds: number
}

export interface OpenedSession {
  readonly userType: UserType
  readonly answer: TokenAnswer
  readonly refresh: CookieToken
  readonly device: CookieToken | null
  /** The browser shows it at its next login, which then has a limit of its own. */
  readonly known: CookieToken | null
}

/** The company that a delegate acts for. */
export interface Company {
  readonly id: UserId
  readonly region: RegionCode
}

export interface RegistrationBody {
  readonly user_type: UserType
  readonly email: string
  readonly display_name: string
  readonly language: string
  readonly region: string
  readonly auth_verifier: string
  readonly kdf: Kdf
  readonly public_key: string
  readonly encrypted_private_key: PasswordWrap
  readonly recovery_public_key?: string
  readonly encrypted_recovery_key?: PasswordWrap
}

export interface RegisteredAccount {
  readonly id: string
  readonly user_type: UserType
  readonly share_code: string
  readonly region: string
}
