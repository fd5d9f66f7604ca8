import { createCryptoPlatform, isPublicKey } from '@sealpost/crypto'
import { instant, type RegionCode, Secret } from '@sealpost/kernel'
import { beginRegistrationAsk, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { findRegion } from '../../../platform/regions.ts'
import { sha256 } from '../../../platform/sha256.ts'
import { findAddressee, hashSource, openParty } from '../../directory/index.ts'
import type { RegistrationBody } from '../model.ts'
import { choosePlace } from '../rules/pending.ts'
import {
  deleteExpired,
  deletePending,
  insertPending,
  listPending,
  lockAddress,
  type PendingRegistration,
} from '../store/registrations.ts'
import { takeMail } from './take-mail.ts'

/** Slightly longer than a code is valid. */
const REMEMBERED_MS = 15 * 60_000
const crypto = createCryptoPlatform(globalThis)

/**
 * Asks the region where the account will live, whether the address has an account or not: it mails the code. The answer
 * is the token without which that code is worth nothing.
 */
export async function register(platform: Platform, body: RegistrationBody, address: string): Promise<Secret<string>> {
  const region = validate(platform, body)
  const { emailHash, isKnown } = await findAddressee(platform, body.email)
  const source = hashSource(platform.settings.DIRECTORY_KEY, emailHash, address)
  await takeMail(platform, emailHash, source)
  const to = await openParty(platform, region)
  const token = new Secret(platform.ids.clientSecret())
  const tokenHash = sha256(token.reveal())
  // Before the mail: its code must find the registration.
  await recordPending(platform, { tokenHash, emailHash, region, source })
  const isCompany = body.user_type === 'company'
  await platform.bus.ask(beginRegistrationAsk, {
    to,
    body: {
      is_taken: isKnown,
      token_hash: tokenHash,
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
  return token
}

export function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path, message }] })
}

async function recordPending({ database, clock }: Platform, registration: PendingRegistration): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    await deleteExpired(tx, now)
    await lockAddress(tx, registration.emailHash)
    const displaced = choosePlace(await listPending(tx, registration.emailHash, now), registration.source)
    if (displaced !== null) await deletePending(tx, displaced)
    await insertPending(tx, registration, now, instant(now + REMEMBERED_MS))
  })
}

function validate(platform: Platform, body: RegistrationBody): RegionCode {
  const region = findRegion(platform, body.region)
  if (region === null) throw invalid('/region', 'is no region of this installation: see GET /api/regions')
  if (!isPublicKey(crypto, body.public_key)) throw invalid('/public_key', 'is no RSA-2048 key')
  if (body.user_type === 'company') {
    const { recovery_public_key: key, encrypted_recovery_key: wrap } = body
    if (key === undefined || !isPublicKey(crypto, key)) throw invalid('/recovery_public_key', 'is no RSA-2048 key')
    if (wrap === undefined) throw invalid('/encrypted_recovery_key', 'is required for a company')
  }
  return region.code
}
