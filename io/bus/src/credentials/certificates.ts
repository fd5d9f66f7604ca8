// The library builds its parts by decorators, which need this to be there first.
// oxlint-disable-next-line import/no-unassigned-import -- it adds to a global
import 'reflect-metadata'
import { createPrivateKey, KeyObject, randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { Secret } from '@sealpost/kernel'

/** A certificate and its private key, both as PEM. */
export interface Certified {
  readonly certificate: string
  readonly key: Secret<string>
}

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3650
const SERVER_DAYS = 398
/** Clocks of other machines may be a little behind. */
const EARLIER_MS = 3_600_000

/** Signs the certificates of the NATS servers of one installation, and nothing else. */
export async function createAuthority(nowMs: number): Promise<Certified> {
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const common = validity(nowMs, AUTHORITY_DAYS)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...common,
    // A name of its own: during a rotation parties trust two, and issuers are found by name.
    name: `CN=Sealpost bus ${common.serialNumber.slice(0, 8)}`,
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  })
  return { certificate: pem(certificate), key: privatePem(keys.privateKey) }
}

/** For one NATS server, or all of a cluster: `hosts` are the names and addresses under which parties reach it. */
export async function createServerCertificate(
  authority: Certified,
  hosts: readonly string[],
  nowMs: number,
): Promise<Certified> {
  const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
  const issuer = new X509Certificate(authority.certificate)
  const certificate = await X509CertificateGenerator.create({
    ...validity(nowMs, SERVER_DAYS),
    subject: 'CN=Sealpost NATS',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        [...new Set(hosts)].map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
    ],
  })
  return { certificate: pem(certificate), key: privatePem(keys.privateKey) }
}

function validity(nowMs: number, days: number) {
  return {
    // A positive number of 127 bits, as RFC 5280 wants it.
    serialNumber: `4${randomBytes(16).toString('hex').slice(1)}`,
    notBefore: new Date(nowMs - EARLIER_MS),
    notAfter: new Date(nowMs + days * DAY_MS),
  }
}

function pem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`
}

function privatePem(key: webcrypto.CryptoKey): Secret<string> {
  return new Secret(KeyObject.from(key).export({ format: 'pem', type: 'pkcs8' }).toString())
}

function importKey(key: Secret<string>): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(key.reveal()).export({ format: 'der', type: 'pkcs8' })
  return webcrypto.subtle.importKey('pkcs8', der, KEY, false, ['sign'])
}
