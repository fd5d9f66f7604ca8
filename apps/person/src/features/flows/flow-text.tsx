import type { TextPart } from '@sealpost/sdk'
import type { ReactNode } from 'react'
import classes from './flows.module.css'

/** The text of a step: a tree of parts, never HTML. */
export function FlowText({ parts }: { readonly parts: readonly TextPart[] }): ReactNode {
  return (
    <p className={classes.text}>
      <Parts parts={parts} />
    </p>
  )
}

function Parts({ parts }: { readonly parts: readonly TextPart[] }): ReactNode {
  return parts.map((part, place) => <Part key={place} part={part} />)
}

function Part({ part }: { readonly part: TextPart }): ReactNode {
  switch (part.kind) {
    case 'plain':
      return part.text
    case 'bold':
      return (
        <strong>
          <Parts parts={part.children} />
        </strong>
      )
    case 'italic':
      return (
        <em>
          <Parts parts={part.children} />
        </em>
      )
    case 'link':
      return (
        <a href={part.address} target="_blank" rel="noopener noreferrer">
          <Parts parts={part.children} />
        </a>
      )
  }
}
