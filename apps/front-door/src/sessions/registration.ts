import { createCryptoPlatform, isPublicKey } from '@sealpost/crypto'
import { instant, type RegionCode } from '@sealpost/kernel'
import {
  ApiError,
  beginRegistrationAsk,
  confirmRegistrationAsk,
  type Kdf,
  type PasswordWrap,
  refuse,
} from '@sealpost/protocol'
import type { UserType } from './cookies.ts'
import { takeFromAccount, takeMail } from './guards.ts'
import { findAddressee, findRegion, openParty } from './homes.ts'
import type { SessionNeeds } from './needs.ts'
import { listRegistrations, noteRegistration } from './store.ts'

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

/** A little longer than a code is good for. */
const REMEMBERED_MS = 15 * 60_000
const platform = createCryptoPlatform(globalThis)

/** The region that the account will live in keeps it and mails the code; only it is asked, whoever has the address. */
export async function register(needs: SessionNeeds, body: RegistrationBody): Promise<void> {
  const region = checkRegistration(needs, body)
  const { emailHash, isKnown } = await findAddressee(needs, body.email)
  await takeMail(needs, emailHash)
  const to = await openParty(needs, region)
  const now = needs.clock.now()
  const expiresAt = instant(now + REMEMBERED_MS)
  await needs.database.transaction((tx) => noteRegistration(tx, emailHash, region, now, expiresAt))
  const isCompany = body.user_type === 'company'
  await needs.bus.ask(beginRegistrationAsk, {
    to,
    body: {
      is_taken: isKnown,
      user_type: body.user_type,
      email: body.email.trim(),
      email_hash: emailHash,
      display_name: body.display_name,
      language: body.language,
      auth_verifier: body.auth_verifier,
      kdf: body.kdf,
      public_key: body.public_key,
      encrypted_private_key: body.encrypted_private_key,
      recovery_public_key: (isCompany ? body.recovery_public_key : null) ?? null,
      encrypted_recovery_key: (isCompany ? body.encrypted_recovery_key : null) ?? null,
    },
  })
}

export interface RegisteredAccount {
  readonly id: string
  readonly user_type: UserType
  readonly share_code: string
  readonly region: string
}

/** Asks every region that mailed a code to this address lately; for any other address, one that could have. */
export async function confirm(needs: SessionNeeds, email: string, code: string): Promise<RegisteredAccount> {
  const { emailHash, region: pretended } = await findAddressee(needs, email)
  await takeFromAccount(needs, emailHash)
  const mailed = await needs.database.read((read) => listRegistrations(read, emailHash, needs.clock.now()))
  const failures: ApiError[] = []
  for (const region of mailed.length === 0 ? [pretended] : mailed) {
    try {
      const account = await confirmIn(needs, region, emailHash, code)
      if (account !== null) return account
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push(error)
    }
  }
  throw failures[0] ?? invalid('/code', 'is not the code of the newest mail, or is no longer good: ask for a new one')
}

async function confirmIn(
  needs: SessionNeeds,
  region: RegionCode,
  emailHash: string,
  code: string,
): Promise<RegisteredAccount | null> {
  const body = { email_hash: emailHash, code }
  const { account } = await needs.bus.ask(confirmRegistrationAsk, { to: await openParty(needs, region), body })
  if (account === null) return null
  return { id: account.user_id, user_type: account.user_type, share_code: account.share_code, region }
}

function checkRegistration(needs: SessionNeeds, body: RegistrationBody): RegionCode {
  const region = findRegion(needs, body.region)
  if (region === null) throw invalid('/region', 'is no region of this installation: see GET /api/regions')
  if (!isPublicKey(platform, body.public_key)) throw invalid('/public_key', 'is no RSA-2048 key')
  if (body.user_type === 'company') {
    const { recovery_public_key: key, encrypted_recovery_key: wrap } = body
    if (key === undefined || !isPublicKey(platform, key)) throw invalid('/recovery_public_key', 'is no RSA-2048 key')
    if (wrap === undefined) throw invalid('/encrypted_recovery_key', 'is required for a company')
  }
  return region
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path, message }] })
}
