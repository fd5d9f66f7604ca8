import { type Envelope, EnvelopeError, readEnvelope } from '../files/envelope.ts'
import { collect, type OpenFile } from '../files/open-file.ts'

/** The largest sealed file of a run is about 47 MB. */
const LIMIT_BYTES = 128 * 1_048_576

/** Files of runs are sealed always: as `{encrypted, value}` or as the bare wrapper. */
export async function openRunFile(file: OpenFile, open: (wrapper: string) => Promise<string>): Promise<Envelope> {
  if (file.kind === 'sealed') return readEnvelope(await open(file.sealed))
  if (file.kind === 'clear') throw new EnvelopeError('A file of a run came in the clear: its answer was exchanged')
  return readEnvelope(await open(new TextDecoder().decode(await collect(file.stream, LIMIT_BYTES))))
}
