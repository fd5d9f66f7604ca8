import type { Tx } from '@sealpost/postgres'
import type { AnyChange } from '@sealpost/protocol'
import type { StagedFile } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection } from '../model.ts'

/** `file`: the object that the change sets. The bus owns it once it is told. */
export interface OutgoingChange {
  readonly change: AnyChange
  readonly file: StagedFile | null
}

/** All changes of one tell: a tell holds 256 KiB, including its other members. */
const TELL_MAX_BYTES = 160 * 1024

/** As few tells as possible for inline changes, one tell per file. */
export async function tellChanges(
  { messages }: CustomerContext,
  tx: Tx,
  connection: Connection,
  changes: readonly OutgoingChange[],
): Promise<void> {
  const inline = changes.filter(({ file }) => file === null).map(({ change }) => change)
  for (const part of partsOf(inline)) await messages.tellSlots(tx, connection, part)
  for (const { change, file } of changes) if (file !== null) await messages.tellSlots(tx, connection, [change], file)
}

/** Keeps the order. A single change is always far smaller than a part. */
function partsOf(changes: readonly AnyChange[]): readonly AnyChange[][] {
  const parts: AnyChange[][] = []
  let room = 0
  for (const change of changes) {
    const bytes = Buffer.byteLength(JSON.stringify(change))
    if (bytes > room) {
      parts.push([])
      room = TELL_MAX_BYTES
    }
    parts.at(-1)?.push(change)
    room -= bytes
  }
  return parts
}
