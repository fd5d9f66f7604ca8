import { createHmac } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Secret } from '@sealpost/kernel'

/**
 * The directory finds an account by this and keeps no address: without the key a list of hashes tells nothing about whose
 * they are. Two spellings of one address are one account.
 */
export function hashEmail(directoryKey: Secret<string>, email: string): string {
  return createHmac('sha256', directoryKey.reveal())
    .update(`email:${normalizeEmail(email)}`)
    .digest('hex')
}

/** The domain as mail servers see it: an international one has several spellings, all of which lead to one mailbox. */
export function normalizeEmail(email: string): string {
  const text = email.normalize('NFC').trim().toLowerCase()
  const start = text.lastIndexOf('@') + 1
  const domain = domainToASCII(text.slice(start)).replace(/\.$/, '')
  return start === 0 || domain === '' ? text : `${text.slice(0, start)}${domain}`
}
