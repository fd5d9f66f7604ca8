import { ChevronLeft, ChevronRight } from 'lucide-react'
import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react'
import classes from './page.module.css'

export interface PageProps {
  readonly title: string
  /** What is so and what to do, in a sentence. */
  readonly lead?: ReactNode
  /** Where one is, above the title. */
  readonly above?: string | undefined
  readonly back?: { readonly href: string; readonly label: string } | undefined
  readonly isWide?: boolean
  readonly children?: ReactNode
}

/** What an app says at the top of all its pages. */
export const PageNotice = createContext<ReactNode>(null)

/** A page says its name to the window and, when it opens, to a screen reader. */
export function useHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – Sealpost`
    const isTaken = document.activeElement !== null && document.activeElement !== document.body
    if (!isTaken) heading.current?.focus({ preventScroll: true })
  }, [title])
  return heading
}

export function Page({ title, lead, above, back, isWide = false, children }: PageProps): ReactNode {
  const heading = useHeading(title)
  return (
    <main className={isWide ? `${classes.page} ${classes.wide}` : classes.page}>
      <header className={classes.top}>
        {back === undefined ? null : (
          <a className={classes.back} href={back.href}>
            <ChevronLeft size={20} aria-hidden />
            {back.label}
          </a>
        )}
        {above === undefined ? null : <p className={classes.above}>{above}</p>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
      </header>
      <div className={classes.body}>
        {use(PageNotice)}
        {children}
      </div>
    </main>
  )
}

export function Card({ title, children }: { readonly title?: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className={classes.card}>
      {title === undefined ? null : <h2>{title}</h2>}
      {children}
    </section>
  )
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  )
}

export interface RowProps {
  readonly name: string
  readonly about?: ReactNode
  readonly href?: string
  readonly start?: ReactNode
  readonly end?: ReactNode
}

/** A line of a list; with `href` the whole line leads there. */
export function Row({ name, about, href, start, end }: RowProps): ReactNode {
  const content = (
    <>
      {start}
      <span className={classes.text}>
        <span className={classes.name}>{name}</span>
        {about === undefined ? null : <span className={classes.about}>{about}</span>}
      </span>
      {end}
      {href === undefined ? null : <ChevronRight className={classes.end} size={20} aria-hidden />}
    </>
  )
  return (
    <li>
      {href === undefined ? (
        <div className={classes.row}>{content}</div>
      ) : (
        <a className={classes.row} href={href}>
          {content}
        </a>
      )}
    </li>
  )
}

/** For an act that cannot be taken back: what follows stands above the holes, the act below them. */
export function TearOff({
  title,
  children,
  act,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly act: ReactNode
}): ReactNode {
  return (
    <section>
      <div className={classes.stub}>
        <h2>{title}</h2>
        {children}
      </div>
      <div className={classes.torn}>{act}</div>
    </section>
  )
}

export function Bullets({ items }: { readonly items: readonly string[] }): ReactNode {
  return (
    <ul className={classes.bullets}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}

export function Quiet({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={classes.quiet}>{children}</p>
}

/** For screen readers only. */
export function Unseen({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className={classes.hidden}>{children}</span>
}
