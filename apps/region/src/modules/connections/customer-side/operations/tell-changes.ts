import type { RequestFieldId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { SlotChange } from '@sealpost/protocol'
import type { StagedFile } from '../../../vault/index.ts'
import type { Connection } from '../connection.ts'
import type { CustomerNeeds } from '../needs.ts'

/** A change and, where it sets a file, the object that travels with it; the bus owns that one from then on. */
export interface Told {
  readonly change: SlotChange
  readonly file: StagedFile | null
}

/** What the changes of one tell may have together: a tell holds 256 KiB, and there is more in it than they. */
const TOLD_AT_ONCE_BYTES = 160 * 1024

/** As few tells as hold everything inline, one for each file. */
export async function tellChanges(
  { wire }: Pick<CustomerNeeds, 'wire'>,
  tx: Tx,
  connection: Connection,
  told: readonly Told[],
): Promise<void> {
  const inline = told.filter(({ file }) => file === null).map(({ change }) => change)
  for (const part of partsOf(inline)) await wire.tellSlots(tx, connection, part)
  for (const { change, file } of told) if (file !== null) await wire.tellSlots(tx, connection, [change], file)
}

/** In their order. A single change is far smaller than a part, whatever its value. */
function partsOf(changes: readonly SlotChange[]): readonly SlotChange[][] {
  const parts: SlotChange[][] = []
  let room = 0
  for (const change of changes) {
    const bytes = Buffer.byteLength(JSON.stringify(change))
    if (bytes > room) {
      parts.push([])
      room = TOLD_AT_ONCE_BYTES
    }
    parts.at(-1)?.push(change)
    room -= bytes
  }
  return parts
}

export function showDrop(id: RequestFieldId, rev: number, at: string): SlotChange {
  return { act: 'drop', request_field_id: id, rev, at }
}
