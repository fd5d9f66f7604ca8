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

/** One tell for everything inline, one for each file. */
export async function tellChanges(
  { wire }: Pick<CustomerNeeds, 'wire'>,
  tx: Tx,
  connection: Connection,
  told: readonly Told[],
): Promise<void> {
  const inline = told.filter(({ file }) => file === null).map(({ change }) => change)
  if (inline.length > 0) await wire.tellSlots(tx, connection, inline)
  for (const { change, file } of told) if (file !== null) await wire.tellSlots(tx, connection, [change], file)
}

export function showDrop(id: RequestFieldId, rev: number, at: string): SlotChange {
  return { act: 'drop', request_field_id: id, rev, at }
}
