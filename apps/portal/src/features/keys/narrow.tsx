import type { ReactNode } from 'react'
import classes from './narrow.module.css'

/** Around a form of one or two fields on a wide page. */
export function Narrow({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={classes.narrow}>{children}</div>
}
