import { createHmac } from 'node:crypto'
import type { Secret } from '@sealpost/kernel'

/**
 * The stored form of the address that a call came from. It differs for every owner, so that rows of two owners do not
 * show that they share an address; without the key, it does not reveal the address.
 */
export function hashSource(directoryKey: Secret<string>, owner: string, address: string): string {
  return createHmac('sha256', directoryKey.reveal()).update(`source:${owner}:${address}`).digest('hex')
}
