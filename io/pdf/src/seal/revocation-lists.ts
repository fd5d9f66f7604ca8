import { webcrypto } from 'node:crypto'
import type { Bytes } from '@sealpost/crypto'
import { describeFailure, type Egress } from '@sealpost/egress'
import type { Clock } from '@sealpost/kernel'
import {
  type Certificate,
  findIssuer,
  MalformedSeal,
  MAX_LISTS,
  readRevocation,
  readRevocationList,
  type RevocationList,
} from '@sealpost/pdf-format'

export interface RevocationOptions {
  readonly egress: Egress
  readonly clock: Clock
  /** For the log: seals are made without a list until it can be fetched again. */
  readonly onProblem: (message: string) => void
}

/** The validation data of a seal; DER. Empty where the issuers publish no lists, or none could be fetched. */
export interface ValidationData {
  readonly certificates: readonly Bytes[]
  readonly lists: readonly Bytes[]
}

export const NO_VALIDATION_DATA: ValidationData = { certificates: [], lists: [] }

/** A seal carries each list, and a customer keeps each seal. */
const MAX_LIST_BYTES = 256 * 1024
const REFRESH_MS = 3_600_000
/** A seal waits for a server that is away once in this time. */
const RETRY_MS = 60_000

/**
 * [Note: revocation is optional] Lists of all certificates that name a place for them, asked for when a seal is made.
 * Each is renewed every hour and used until its next update is due. An authority that is away never keeps a document
 * from being signed: the seal is then made without its list.
 */
export function openRevocationLists(
  certificates: readonly Certificate[],
  options: RevocationOptions,
): () => Promise<ValidationData> {
  const sources = certificates
    .filter(({ listUrls, issuer, subject }) => listUrls.length > 0 && Buffer.compare(issuer, subject) !== 0)
    .slice(0, MAX_LISTS)
    .map((certificate) => openSource(certificate, certificates, options))
  return async () => {
    const found = await Promise.all(sources.map((source) => source()))
    const lists = unique(found.flatMap((list) => (list === null ? [] : [list.der])))
    return lists.length === 0 ? NO_VALIDATION_DATA : { certificates: unique(certificates.map(({ der }) => der)), lists }
  }
}

type Source = () => Promise<RevocationList | null>

function openSource(certificate: Certificate, others: readonly Certificate[], options: RevocationOptions): Source {
  const { clock, onProblem } = options
  let known: RevocationList | null = null
  let nextFetch = 0
  let running: Promise<void> | null = null

  async function renew(): Promise<void> {
    try {
      known = await fetchList(certificate, others, options)
      nextFetch = Math.min(clock.now() + REFRESH_MS, known.nextUpdate ?? 0)
    } catch (error) {
      if (!(error instanceof UnusableList)) throw error
      nextFetch = clock.now() + error.retryMs
      onProblem(
        `no revocation list for the certificate ${certificate.commonName ?? 'without a name'}: ${error.message}`,
      )
    } finally {
      running = null
    }
  }

  const isDue = (list: RevocationList | null): boolean => (list?.nextUpdate ?? 0) < clock.now()
  return async () => {
    if (clock.now() >= nextFetch) await (running ??= renew())
    return isDue(known) ? null : known
  }
}

class UnusableList extends Error {
  override readonly name = 'UnusableList'
  readonly retryMs: number

  constructor(message: string, retryMs = RETRY_MS) {
    super(message)
    this.retryMs = retryMs
  }
}

/** From the first address that has one. */
async function fetchList(
  certificate: Certificate,
  others: readonly Certificate[],
  options: RevocationOptions,
): Promise<RevocationList> {
  if ((await findIssuer(webcrypto, certificate, others)) === null)
    throw new UnusableList('its issuer is not among the certificates of the settings', REFRESH_MS)
  const reasons: string[] = []
  for (const url of certificate.listUrls.filter((one) => /^https?:/i.test(one)).slice(0, MAX_ADDRESSES)) {
    try {
      const list = readList(await get(options.egress, url))
      await check(certificate, { list, others, at: options.clock.now() })
      return list
    } catch (error) {
      if (!(error instanceof UnusableList)) throw error
      reasons.push(`${url}: ${error.message}`)
    }
  }
  throw new UnusableList(reasons.length === 0 ? 'it names no http address' : reasons.join('; '))
}

const MAX_ADDRESSES = 2

async function get(egress: Egress, url: string): Promise<Bytes> {
  const limits = { connectTimeoutMs: 2_000, totalTimeoutMs: 5_000, maxResponseBytes: MAX_LIST_BYTES }
  const response = await egress.send({ method: 'GET', url, redirects: 2, ...limits })
  if (!response.ok) throw new UnusableList(describeFailure(response.refusal))
  if (response.value.status !== 200) throw new UnusableList(`the answer has status ${response.value.status}`)
  return Uint8Array.from(response.value.body)
}

function readList(der: Bytes): RevocationList {
  try {
    return readRevocationList(der)
  } catch (error) {
    if (error instanceof MalformedSeal) throw new UnusableList('the answer is no revocation list in DER')
    throw error
  }
}

interface Fetched {
  readonly list: RevocationList
  readonly others: readonly Certificate[]
  readonly at: number
}

/** A list in which the certificate is revoked is usable: it keeps seals from being made. */
async function check(certificate: Certificate, { list, others, at }: Fetched): Promise<void> {
  const states = await readRevocation(webcrypto, certificate, { lists: [list], others, at })
  const state = states.find((one) => one.certificate === certificate)
  if (state === undefined) throw new UnusableList('the list is about other certificates')
  if (!state.isSignedByIssuer) throw new UnusableList('the list is not signed by the issuer')
  if (!state.isCurrent) throw new UnusableList('the list is out of date')
}

function unique(all: readonly Bytes[]): readonly Bytes[] {
  return all.filter((one, at) => all.findIndex((other) => Buffer.compare(one, other) === 0) === at)
}
