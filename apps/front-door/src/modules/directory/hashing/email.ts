import { createHmac } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Secret } from '@sealpost/kernel'

/**
 * The directory finds an account by this hash and stores no address: without the key, the hashes do not reveal the
 * addresses. All spellings of an address have one hash.
 */
export function hashEmail(directoryKey: Secret<string>, email: string): string {
  return createHmac('sha256', directoryKey.reveal())
    .update(`email:${normalizeEmail(email)}`)
    .digest('hex')
}

/** The domain in ASCII, as mail servers see it: an international domain has several spellings of one mailbox. */
function normalizeEmail(email: string): string {
  const text = email.normalize('NFC').trim().toLowerCase()
  const start = text.lastIndexOf('@') + 1
  const domain = domainToASCII(text.slice(start)).replace(/\.$/, '')
  return start === 0 || domain === '' ? text : `${text.slice(0, start)}${domain}`
}
