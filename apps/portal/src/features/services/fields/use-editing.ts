import { FailureError } from '@sealpost/ui'
import { type Act, useAct } from '@sealpost/web-app'
import { useState } from 'react'
import { call } from '../../../shell/worker.ts'
import type { AskedRow, AskedRows } from '../../../worker/commands/request-rows.ts'
import { type Difference, differenceOf, isSame } from './difference.ts'

export interface Editing {
  /** What the changes are compared with, and published upon. */
  readonly base: AskedRows
  readonly rows: readonly AskedRow[]
  /** What another user has published meanwhile; the person decides between both. */
  readonly theirs: AskedRows | null
  readonly difference: Difference
  readonly act: Act
  /** Goes on from another base. */
  readonly take: (base: AskedRows, rows: readonly AskedRow[]) => void
  /** Answers the place of the new row. */
  readonly add: () => number
  /** Null removes it. */
  readonly change: (at: number, row: AskedRow | null) => void
  readonly publish: () => Promise<void>
  readonly drop: () => void
}

/** The rows as they were read stay the base of what is changed here, until they are published or taken anew. */
export function useEditing(serviceId: string, read: AskedRows): Editing {
  const [base, setBase] = useState(read)
  const [rows, setRows] = useState(read.rows)
  const [theirs, setTheirs] = useState<AskedRows | null>(null)
  const [seen, setSeen] = useState(read)
  const act = useAct()
  const difference = differenceOf(base.rows, rows)
  const take = (next: AskedRows, nextRows: readonly AskedRow[]): void => {
    setBase(next)
    setRows(nextRows)
    setTheirs(null)
  }
  if (read !== seen) {
    setSeen(read)
    // Published elsewhere while nothing is changed here. What is changed here meets it when it is published.
    if (isSame(difference) && theirs === null) take(read, read.rows)
  }
  const publish = async (): Promise<void> => {
    try {
      await call('publishRows', { serviceId, token: base.token, rows })
      const published = await call('readRows', serviceId)
      take(published, published.rows)
    } catch (error) {
      if (!isConflict(error)) throw error
      setTheirs(await call('readRows', serviceId))
    }
  }
  return {
    base,
    rows,
    theirs,
    difference,
    act,
    take,
    add() {
      setRows([...rows, NEW_ROW])
      return rows.length
    },
    change: (at, row) => setRows(rows.flatMap((each, place) => (place !== at ? [each] : row === null ? [] : [row]))),
    publish: async () => void (await act.run(publish)),
    drop() {
      act.clear()
      setRows(base.rows)
    },
  }
}

const NEW_ROW: AskedRow = {
  id: null,
  slug: '',
  label: '',
  type: 'text',
  oneTime: false,
  mandatoryProvide: false,
  mandatoryConnected: false,
  audience: 'both',
  verified: false,
  maxAgeDays: null,
  plugin: null,
  flowName: null,
  values: 0,
}

function isConflict(error: unknown): boolean {
  if (!(error instanceof FailureError)) return false
  return error.failure.kind === 'refused' && error.failure.key === 'services.config_conflict'
}
