import { type Envelope, EnvelopeError, readEnvelope } from '../files/envelope.ts'
import { collect, type OpenFile } from '../files/open-file.ts'

/** The largest sealed file of a run is about 47 MB. */
const LIMIT_BYTES = 128 * 1_048_576

/** Files of runs are sealed always. */
export async function openRunFile(file: OpenFile, open: (wrapper: string) => Promise<string>): Promise<Envelope> {
  return readEnvelope(await open(await sealedTextOf(file)))
}

/** The text of the wrapper, which comes as `{encrypted, value}` or bare. */
export async function sealedTextOf(file: OpenFile): Promise<string> {
  if (file.kind === 'sealed') return file.sealed
  if (file.kind === 'clear') throw new EnvelopeError('A file of a run came in the clear: its answer was exchanged')
  return new TextDecoder().decode(await collect(file.stream, LIMIT_BYTES))
}
