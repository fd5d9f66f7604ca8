import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import { readWritten } from './written-paper.ts'
import classes from './paper.module.css'

/** A paper that is text, drawn as a page. */
export function Written({ value }: { readonly value: unknown }): ReactNode {
  const words = useWords().papers
  const { title, sections, fields } = readWritten(value)
  return (
    <article className={classes.written} aria-label={words.content}>
      {title === null ? null : <h2>{title}</h2>}
      {sections.map(({ heading, text }, at) => (
        <section key={at}>
          {heading === null ? null : <h3>{heading}</h3>}
          <p>{text}</p>
        </section>
      ))}
      {fields.length === 0 ? null : (
        <dl>
          {fields.map(({ label, value: text }, at) => (
            <div key={at}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  )
}
