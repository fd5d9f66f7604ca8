import type { Bytes } from '@sealpost/crypto'
import { writeBitString, writeElement, writeInteger, writeSequence } from '@sealpost/crypto/der'
import { algorithm, nameOf, type TestKey, utcTime } from './certificate.ts'

export interface ListWish {
  readonly issuer: { readonly name: string; readonly key: TestKey }
  readonly revoked?: readonly number[]
  /** DER times; null: there is none. */
  readonly thisUpdate?: Bytes
  readonly nextUpdate?: Bytes | null
  readonly extensions?: readonly Bytes[]
  readonly hasVersion?: boolean
}

export function writeRevocationList(wish: ListWish): Bytes {
  const { issuer, revoked = [], thisUpdate = utcTime('260101'), nextUpdate = utcTime('270101'), extensions = [] } = wish
  const how = algorithm(issuer.key.algorithm)
  const entries = revoked.map((serial) => writeSequence(writeInteger(serial), utcTime('251231')))
  const body = writeSequence(
    ...(wish.hasVersion === false ? [] : [writeInteger(1)]),
    how,
    nameOf(issuer.name),
    thisUpdate,
    ...(nextUpdate === null ? [] : [nextUpdate]),
    ...(entries.length === 0 ? [] : [writeSequence(...entries)]),
    ...(extensions.length === 0 ? [] : [writeElement(0xa0, writeSequence(...extensions))]),
  )
  return writeSequence(body, how, writeBitString(issuer.key.sign(body)))
}
