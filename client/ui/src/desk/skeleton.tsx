import { type ReactNode, useEffect, useState } from 'react'
import { Pending } from '../states/notice.tsx'
import { useUiWords } from '../words/ui-words.ts'
import classes from './table.module.css'

const ROWS = 6

/** Where rows will stand. Nothing moves; a screen reader hears that the table is busy. */
export function SkeletonRows({
  columns,
  rows = ROWS,
}: {
  readonly columns: number
  readonly rows?: number
}): ReactNode {
  return Array.from({ length: rows }, (_row, at) => (
    <tr key={at} aria-hidden>
      {Array.from({ length: columns }, (_cell, place) => (
        <td key={place}>
          <span className={classes.bone} />
        </td>
      ))}
    </tr>
  ))
}

const SLOW_MS = 4_000

/** What is waited for; after a while it says that this takes longer than usual. */
export function Slow({
  children,
  afterMs = SLOW_MS,
}: {
  readonly children: string
  readonly afterMs?: number
}): ReactNode {
  const words = useUiWords().desk
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs])
  return <Pending>{isSlow ? `${children} ${words.slow}` : children}</Pending>
}
