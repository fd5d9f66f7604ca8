import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './code.module.css'

export interface CodeBlockProps {
  /** What it is, above the code: “curl”, “Key file”. */
  readonly title: string
  readonly code: string
}

/** Code as it is, to be copied. */
export function CodeBlock({ title, code }: CodeBlockProps): ReactNode {
  return (
    <figure className={classes.block}>
      <figcaption>
        {title}
        <CopyButton text={code} label={title} />
      </figcaption>
      {/* A long line can be scrolled by keyboard, too. */}
      <pre tabIndex={0} role="region" aria-label={title}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
