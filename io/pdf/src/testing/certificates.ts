import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A root, a seal with each kind of key, and a time-stamping authority, made by OpenSSL in a folder of their own. */
export interface TestPki {
  readonly folder: string
  /** The text of a file there: `root.pem`, `seal-ec.pem`, `seal-ec.key`, `tsa.pem` … */
  read(name: string): string
  path(name: string): string
}

const CONFIG = `
[req]
distinguished_name=dn
[dn]
[ca]
basicConstraints=critical,CA:true
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash
[seal]
basicConstraints=critical,CA:false
keyUsage=critical,digitalSignature,nonRepudiation
LISTS
[tsa]
basicConstraints=critical,CA:false
keyUsage=critical,digitalSignature
extendedKeyUsage=critical,timeStamping
LISTS
[issuing]
basicConstraints=critical,CA:true
keyUsage=critical,keyCertSign,cRLSign
subjectKeyIdentifier=hash
LISTS
[issued]
basicConstraints=critical,CA:false
keyUsage=critical,digitalSignature,nonRepudiation
ISSUED_LISTS
[tsa_config]
serial=FOLDER/tsa.serial
signer_cert=FOLDER/tsa.pem
certs=FOLDER/root.pem
signer_key=FOLDER/tsa.key
signer_digest=sha256
default_policy=1.2.3.4.1
digests=sha256,sha384,sha512
accuracy=secs:1
ordering=no
tsa_name=no
ess_cert_id_chain=no
ess_cert_id_alg=sha256
`

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
const RSA = ['-newkey', 'rsa:3072']

export interface PkiWish {
  /**
   * Where the root publishes its revocation list, `…/root.crl`; without it the certificates name no place. With it there
   * is also `issued`, a seal by an authority below the root (`issuing`), whose list is beside that.
   */
  readonly listUrl?: string
}

export async function makePki({ listUrl }: PkiWish = {}): Promise<TestPki> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-pki-'))
  const path = (name: string): string => join(folder, name)
  const lists = listUrl === undefined ? '' : `crlDistributionPoints=URI:${listUrl}`
  writeFileSync(
    path('ca.cnf'),
    CONFIG.replaceAll('FOLDER', folder)
      .replaceAll('ISSUED_LISTS', lists.replace('root.crl', 'issuing.crl'))
      .replaceAll('LISTS', lists),
  )
  writeFileSync(path('tsa.serial'), '01\n')
  await makeRoot(path, 'root', '/O=Sealpost test/CN=Test root')
  await makeRoot(path, 'stranger', '/O=Stranger/CN=Other root')
  await makeLeaf(path, 'seal-ec', { subject: '/O=Sealpost test/CN=Test seal', key: EC, extensions: 'seal' })
  await makeLeaf(path, 'seal-rsa', { subject: '/O=Sealpost test/CN=Test seal', key: RSA, extensions: 'seal' })
  await makeLeaf(path, 'tsa', { subject: '/O=Sealpost test/CN=Test time', key: EC, extensions: 'tsa' })
  if (listUrl !== undefined) {
    const subject = '/O=Sealpost test/CN=Test issuing'
    await makeLeaf(path, 'issuing', { subject, key: EC, extensions: 'issuing' })
    const issued = { subject: '/O=Sealpost test/CN=Test issued', key: EC, extensions: 'issued', issuer: 'issuing' }
    await makeLeaf(path, 'issued', issued)
  }
  return { folder, path, read: (name) => readFileSync(path(name), 'utf8') }
}

type PathOf = (name: string) => string

async function makeRoot(path: PathOf, name: string, subject: string): Promise<void> {
  const output = ['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)]
  const how = ['-x509', ...EC, '-nodes', '-days', '3650', '-config', path('ca.cnf'), '-extensions', 'ca']
  await run('openssl', ['req', ...how, '-subj', subject, ...output])
}

interface Leaf {
  readonly subject: string
  readonly key: readonly string[]
  readonly extensions: string
  /** `root` unless told. */
  readonly issuer?: string
}

async function makeLeaf(path: PathOf, name: string, leaf: Leaf): Promise<void> {
  const { subject, key, extensions, issuer: by = 'root' } = leaf
  const request = ['-keyout', path(`${name}.key`), '-out', path(`${name}.csr`)]
  await run('openssl', ['req', '-new', ...key, '-nodes', '-config', path('ca.cnf'), '-subj', subject, ...request])
  const issuer = ['-CA', path(`${by}.pem`), '-CAkey', path(`${by}.key`), '-CAcreateserial', '-days', '3000']
  const more = ['-extfile', path('ca.cnf'), '-extensions', extensions, '-out', path(`${name}.pem`)]
  await run('openssl', ['x509', '-req', '-in', path(`${name}.csr`), ...issuer, ...more])
}
