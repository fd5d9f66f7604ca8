/** Of all documents of one record, so that a customer of many services gets them in pages of moderate size. */
const RECORD_MAX_BYTES = 1024 * 1024
/** Of all records that are in memory at once. */
const RECORDS_MAX_BYTES = 4 * 1024 * 1024

export interface RecordCandidates<Connection, Id extends string> {
  readonly connection: Connection
  readonly documents: readonly RecordCandidate<Id>[]
}

export interface RecordCandidate<Id extends string> {
  readonly id: Id
  /** Of the content that the record would show. */
  readonly bytes: number
}

/**
 * The newest documents of each record, newest first; fewer when their content is large, but at least one. The answer
 * ends before the first record for which no room is left, and has at least one.
 */
export function fitRecords<Connection, Id extends string>(
  candidates: readonly RecordCandidates<Connection, Id>[],
  newest: number,
): readonly RecordCandidates<Connection, Id>[] {
  const fitting: RecordCandidates<Connection, Id>[] = []
  let used = 0
  for (const { connection, documents } of candidates) {
    const kept = fitOne(documents, newest)
    used += kept.reduce((sum, { bytes }) => sum + bytes, 0)
    if (used > RECORDS_MAX_BYTES && fitting.length > 0) break
    fitting.push({ connection, documents: kept })
  }
  return fitting
}

function fitOne<Id extends string>(
  documents: readonly RecordCandidate<Id>[],
  newest: number,
): readonly RecordCandidate<Id>[] {
  const inOrder = documents.toSorted((one, other) => (one.id > other.id ? -1 : 1)).slice(0, newest)
  let used = 0
  const tooMuch = inOrder.findIndex(({ bytes }, place) => (used += bytes) > RECORD_MAX_BYTES && place > 0)
  return tooMuch === -1 ? inOrder : inOrder.slice(0, tooMuch)
}
