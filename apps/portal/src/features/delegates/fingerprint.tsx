import { groupsOf } from '@sealpost/ui/desk'
import type { ReactNode } from 'react'
import classes from './delegates.module.css'

/** In groups of four, to be read out. */
export function Fingerprint({ label, of }: { readonly label: string; readonly of: string }): ReactNode {
  return (
    <ol className={classes.fingerprint} aria-label={label} translate="no">
      {groupsOf(of, 4).map((group, at) => (
        <li key={at}>{group}</li>
      ))}
    </ol>
  )
}
