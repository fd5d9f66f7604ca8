import { ChevronRight } from 'lucide-react'
import { type ReactNode, use } from 'react'
import { PageNotice, useHeading } from '../page/page.tsx'
import { useUiWords } from '../words/ui-words.ts'
import { Count, type CountProps } from './status.tsx'
import classes from './desk-page.module.css'

export interface Crumb {
  readonly href: string
  readonly name: string
}

export interface TabLink {
  readonly href: string
  readonly name: string
  readonly isHere: boolean
  readonly count?: CountProps
}

export interface DeskPageProps {
  readonly title: string
  /** What is so and what to do, in a sentence. */
  readonly lead?: ReactNode
  readonly crumbs?: readonly Crumb[]
  /** Short, beside the title: a code, a state. */
  readonly facts?: readonly ReactNode[]
  /** At most one of them is the main one. */
  readonly acts?: ReactNode
  readonly tabs?: readonly TabLink[]
  /** Beside the page, at its full height. */
  readonly inspector?: ReactNode
  readonly children?: ReactNode
}

/** A page at a desk: where one is, what it is, what can be done, and then the thing itself. */
export function DeskPage(props: DeskPageProps): ReactNode {
  const { title, lead, crumbs = [], facts = [], acts, tabs = [], inspector, children } = props
  const heading = useHeading(title)
  return (
    <main className={classes.main}>
      <header className={tabs.length === 0 ? classes.head : `${classes.head} ${classes.tabbed}`}>
        <Crumbs crumbs={crumbs} />
        <div className={classes.title}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {facts.length === 0 ? null : (
            <ul className={classes.facts}>
              {facts.map((fact, at) => (
                <li key={at}>{fact}</li>
              ))}
            </ul>
          )}
          {acts === undefined ? null : <div className={classes.acts}>{acts}</div>}
        </div>
        {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
        <Tabs tabs={tabs} label={title} />
      </header>
      <div className={inspector === undefined ? undefined : classes.beside}>
        <div className={classes.body}>
          {use(PageNotice)}
          {children}
        </div>
        {inspector}
      </div>
    </main>
  )
}

function Crumbs({ crumbs }: { readonly crumbs: readonly Crumb[] }): ReactNode {
  const words = useUiWords().desk
  if (crumbs.length === 0) return null
  return (
    <nav aria-label={words.crumbs}>
      <ol className={classes.crumbs}>
        {crumbs.map(({ href, name }) => (
          <li key={href}>
            <a href={href}>{name}</a>
            <ChevronRight size={12} aria-hidden />
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Each has an address, so it can be linked to and gone back from. */
export function Tabs({ tabs, label }: { readonly tabs: readonly TabLink[]; readonly label: string }): ReactNode {
  if (tabs.length === 0) return null
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ href, name, isHere, count }) => (
        <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
          {name}
          {count === undefined ? null : <Count {...count} />}
        </a>
      ))}
    </nav>
  )
}

export interface DeskSectionProps {
  readonly title: string
  readonly acts?: ReactNode
  readonly children: ReactNode
}

/** A part of a page under its own heading, with what can be done about it. */
export function DeskSection({ title, acts, children }: DeskSectionProps): ReactNode {
  return (
    <section className={classes.section}>
      <header>
        <h2>{title}</h2>
        {acts}
      </header>
      {children}
    </section>
  )
}
