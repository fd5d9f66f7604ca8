import { type ReactNode, useEffect, useRef } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import classes from './table.module.css'

export interface Selection {
  readonly keys: ReadonlySet<string>
  readonly onKeys: (keys: ReadonlySet<string>) => void
  /** The row that was ticked last: with Shift all up to the next one are ticked. */
  readonly anchor?: { current: string | null }
}

export interface SelectingProps {
  readonly selection: Selection
  /** Of all rows, as they stand. */
  readonly keys: readonly string[]
  /** Without it, the tick is for all of them. */
  readonly one?: string
  readonly name?: string
}

export function Selecting({ selection, keys, one, name = '' }: SelectingProps): ReactNode {
  const words = useUiWords().desk
  const box = useRef<HTMLInputElement>(null)
  const count = keys.filter((key) => selection.keys.has(key)).length
  const isOn = one === undefined ? count > 0 && count === keys.length : selection.keys.has(one)
  const isMixed = one === undefined && count > 0 && count < keys.length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isMixed
  }, [isMixed])
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.box}
      aria-label={one === undefined ? words.selectAll : words.selectRow(name)}
      checked={isOn}
      disabled={keys.length === 0}
      onChange={(event) => {
        const { nativeEvent } = event
        const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
        const chosen = one === undefined ? keys : isRange ? between(keys, selection.anchor?.current ?? one, one) : [one]
        if (one !== undefined && selection.anchor !== undefined) selection.anchor.current = one
        selection.onKeys(withKeys(selection.keys, chosen, event.currentTarget.checked))
      }}
    />
  )
}

function between(keys: readonly string[], from: string, to: string): readonly string[] {
  const [first = 0, last = 0] = [keys.indexOf(from), keys.indexOf(to)].toSorted((a, b) => a - b)
  return keys.slice(Math.max(first, 0), last + 1)
}

function withKeys(before: ReadonlySet<string>, keys: readonly string[], isOn: boolean): ReadonlySet<string> {
  const after = new Set(before)
  for (const key of keys) {
    if (isOn) after.add(key)
    else after.delete(key)
  }
  return after
}

/** Above the bottom of the page while rows are selected: what can be done with them. */
export function BulkBar({ selection, children }: { readonly selection: Selection; readonly children: ReactNode }) {
  const words = useUiWords().desk
  if (selection.keys.size === 0) return null
  return (
    <div className={classes.bulk} role="toolbar" aria-label={words.selected(selection.keys.size)}>
      <b>{words.selected(selection.keys.size)}</b>
      {children}
      <button type="button" onClick={() => selection.onKeys(new Set())}>
        {words.clearSelection}
      </button>
    </div>
  )
}
