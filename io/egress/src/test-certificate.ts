import { generateKeyPairSync, sign } from 'node:crypto'

export interface TestCertificate {
  readonly key: string
  readonly cert: string
}

/** A self-signed certificate for one DNS name, generated per run: no key is in the repository and none expires. */
export function testCertificate(name: string): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(name)))))
  const altName = der(SEQUENCE, der(DNS_NAME, Buffer.from(name)))
  const body = der(
    SEQUENCE,
    der(CONTEXT_0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ECDSA_SHA256,
    issuer,
    der(SEQUENCE, der(UTC_TIME, Buffer.from('200101000000Z')), der(UTC_TIME, Buffer.from('491231235959Z'))),
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(CONTEXT_3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, altName)))),
  )
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey))
  const encoded = der(SEQUENCE, body, ECDSA_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${encoded}\n-----END CERTIFICATE-----\n`,
  }
}

const [INTEGER, BIT_STRING, OCTET_STRING, UTF8_STRING, UTC_TIME] = [0x02, 0x03, 0x04, 0x0c, 0x17] as const
const [SEQUENCE, SET, DNS_NAME, CONTEXT_0, CONTEXT_3] = [0x30, 0x31, 0x82, 0xa0, 0xa3] as const
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(header), content])
}
