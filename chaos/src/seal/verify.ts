import { execFile } from 'node:child_process'
import { webcrypto, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createUtf8Codec } from '@sealpost/crypto'
import { instant, readSettings } from '@sealpost/kernel'
import { verifySeal } from '@sealpost/pdf-format'
import { runStatement } from '@sealpost/postgres'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegion, regionSettings } from '@sealpost/region'
import { quietTelemetry } from '@sealpost/telemetry'
import { bodyOf, bundledPrograms, openFileCopy, testSeal, waitUntil } from '@sealpost/testkit'
import { type Contract, DOCUMENTS, type Offered, PDF, sha256 } from './contracts.ts'
import type { Region, Site } from './site.ts'

const ARRIVAL_MS = 120_000

export interface Judged {
  readonly unsigned: number
  readonly repeated_signatures: number
  readonly different_sides: number
  readonly invalid_files: number
}

/** Every contract as both sides see it, and the file as its customer opens it. */
export async function judgeContracts({ service, contracts }: Offered): Promise<Judged> {
  const judged = { unsigned: 0, repeated_signatures: 0, different_sides: 0, invalid_files: 0 }
  for (const contract of contracts) {
    const document = await bodyOf(service('GET', `${DOCUMENTS}/${contract.id}`))
    const signatures = Array.isArray(document['signatures']) ? document['signatures'].length : 0
    if (document['status'] !== 'active' || signatures === 0) judged.unsigned += 1
    if (signatures > 1) judged.repeated_signatures += 1
    if (!(await isSameOnBothSides(contract, document))) judged.different_sides += 1
    else if (!(await isFileValid(contract))) judged.invalid_files += 1
  }
  return judged
}

async function isSameOnBothSides(
  { customer, path, plainSha256 }: Contract,
  document: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const members = ['status', 'sealed_at', 'plain_sha256', 'content_sha256'] as const
  const isSame = async (): Promise<boolean> => {
    const copy = await bodyOf(customer.calls('GET', path))
    return members.every((name) => copy[name] === document[name]) && copy['plain_sha256'] === plainSha256
  }
  // The sealed file follows its act.
  return waitUntil('the sealed file has arrived', ARRIVAL_MS, isSame).then(
    () => true,
    () => false,
  )
}

async function isFileValid({ customer, path, plainSha256, id }: Contract): Promise<boolean> {
  const { value } = await bodyOf(customer.calls('GET', `${path}/file`))
  const { content_sha256: digest } = await bodyOf(customer.calls('GET', path))
  if (sha256(String(value)) !== digest) return false
  const file = Uint8Array.from(await openFileCopy(customer.user, String(value)))
  const host = { crypto: webcrypto, utf8: createUtf8Codec(globalThis) }
  const certificates = [Uint8Array.from(new X509Certificate(testSeal().root).raw)]
  const report = await verifySeal(host, file, { certificates })
  if (!report.ok || sha256(file) !== plainSha256) return false
  const { isIntact, isTrusted, isSignedContent, signedSha256, record, timestamp } = report.value
  const isWhole = isIntact && isTrusted && isSignedContent && timestamp !== null
  return isWhole && signedSha256 === sha256(PDF) && record?.document_id === id && record.acts.length === 1
}

const LATER_MS = 60 * 86_400_000

export interface Objects {
  readonly orphans: number
  readonly missing: number
  readonly waiting_seals: number
}

/** Sweeps with a clock that is far ahead, then compares the store with the database. */
export async function sweep({ installation }: Site, region: Region): Promise<Objects> {
  const environment = installation.environment[region]
  const later = { now: () => instant(systemClock.now() + LATER_MS) }
  const opened = await openRegion(readSettings(regionSettings, environment), {
    clock: later,
    ids: systemIds(),
    random: systemRandom,
    telemetry: quietTelemetry(),
    roles: { relay: false, inbox: false, responder: false },
  })
  try {
    const { documents, vault } = opened.modules
    for (const { run } of [...(documents.chores ?? []), ...(vault.chores ?? [])]) await run()
    const [seals, garbage] = [await rowsOf(opened, SEALS), await rowsOf(opened, GARBAGE)]
    const report = await doctor(environment)
    const count = (pattern: RegExp): number => Number(pattern.exec(report)?.[1] ?? 0)
    return {
      orphans: garbage + count(/(\d+) objects in the bucket belong to no row/),
      missing: count(/(\d+) objects that rows refer to are missing/),
      waiting_seals: seals,
    }
  } finally {
    await opened.close()
  }
}

const SEALS = 'documents_service.prepared_seal'
const GARBAGE = 'vault.garbage'

type Opened = Awaited<ReturnType<typeof openRegion>>

async function rowsOf({ platform }: Opened, table: typeof SEALS | typeof GARBAGE): Promise<number> {
  const rows = await platform.database.read((read) => runStatement(read, `select 1 from ${table}`, []))
  return rows.length
}

async function doctor(environment: Readonly<Record<string, string>>): Promise<string> {
  const program = join(await bundledPrograms(), 'region', 'doctor.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'objects'], { env: { ...environment } })
  return stdout
}
