import type { ReactNode } from 'react'
import { initialsOf, partyOf } from './party.ts'
import classes from './seal.module.css'

const EDGE =
  'M50.0 6.0A8.6 8.6 0 0 1 65.0 8.7A8.6 8.6 0 0 1 78.3 16.3A8.6 8.6 0 0 1 88.1 28.0A8.6 8.6 0 0 1 93.3 42.4A8.6 8.6 0 0 1 93.3 57.6A8.6 8.6 0 0 1 88.1 72.0A8.6 8.6 0 0 1 78.3 83.7A8.6 8.6 0 0 1 65.0 91.3A8.6 8.6 0 0 1 50.0 94.0A8.6 8.6 0 0 1 35.0 91.3A8.6 8.6 0 0 1 21.7 83.7A8.6 8.6 0 0 1 11.9 72.0A8.6 8.6 0 0 1 6.7 57.6A8.6 8.6 0 0 1 6.7 42.4A8.6 8.6 0 0 1 11.9 28.0A8.6 8.6 0 0 1 21.7 16.3A8.6 8.6 0 0 1 35.0 8.7A8.6 8.6 0 0 1 50.0 6.0z'

const COLOURS = [classes.party1, classes.party2, classes.party3, classes.party4, classes.party5]

/** The face of a company. The same company has the same colour everywhere; its letters say it too. */
export function Seal({
  name,
  id,
  size = 'medium',
}: {
  readonly name: string
  readonly id: string
  readonly size?: 'small' | 'medium' | 'large'
}): ReactNode {
  const colour = COLOURS[partyOf(id, COLOURS.length)] ?? ''
  return (
    <svg className={`${classes.seal} ${classes[size]} ${colour}`} viewBox="0 0 100 100" aria-hidden>
      <path d={EDGE} fill="currentColor" />
      <text x="50" y="62.5">
        {initialsOf(name)}
      </text>
    </svg>
  )
}

export function Brand(): ReactNode {
  return (
    <span className={classes.brand}>
      <svg className={classes.mark} viewBox="0 0 100 100" aria-hidden>
        <path d={EDGE} fill="currentColor" />
        <path d="M27 40l23 20 23-20" />
      </svg>
      {PRODUCT}
    </span>
  )
}

/** A name, the same in every language. */
const PRODUCT = 'Sealpost'
