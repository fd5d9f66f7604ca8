import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { initialsOf } from '../brand/party.ts'
import { Brand, Seal } from '../brand/seal.tsx'
import { Unseen } from '../page/page.tsx'
import { useUiWords } from '../words/ui-words.ts'
import { MenuButton } from './menu-button.tsx'
import type { MenuItem } from './menu.tsx'
import { Count, type CountProps, Keys } from './status.tsx'
import classes from './side.module.css'

export interface Place {
  readonly href: string
  readonly name: string
  readonly icon: ReactNode
  readonly isHere: boolean
  /** What waits there; left out where it could not be counted. */
  readonly count?: CountProps
}

export interface PlaceGroup {
  readonly title?: string
  readonly places: readonly Place[]
}

/** The company one acts for, and the others that one may act for. */
export interface ActingFor {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly others: readonly MenuItem[]
}

export interface SideProps {
  readonly company: ActingFor
  readonly groups: readonly PlaceGroup[]
  /** Opens the palette; Ctrl K does the same. */
  readonly onFind?: () => void
  readonly me: { readonly name: string; readonly items: readonly MenuItem[] }
}

/** The way to every place of the app, at the side of each page. */
export function Side({ company, groups, onFind, me }: SideProps): ReactNode {
  const words = useUiWords().desk
  return (
    <header className={classes.side}>
      <div className={classes.brand}>
        <Brand />
      </div>
      <Company {...company} />
      {onFind === undefined ? null : (
        <button type="button" className={classes.find} onClick={onFind}>
          <Search {...ICON} />
          {words.find}
          <Keys>{words.findKeys}</Keys>
        </button>
      )}
      <nav aria-label={words.main}>
        {groups.map(({ title, places }) => (
          <Group key={title ?? ''} title={title} places={places} />
        ))}
      </nav>
      <div className={classes.me}>
        <MenuButton label={words.account} isNamedByContent items={me.items} className={classes.person}>
          <span className={classes.disc} aria-hidden>
            {initialsOf(me.name)}
          </span>
          <span className={classes.name}>{me.name}</span>
          <Unseen>{words.account}</Unseen>
        </MenuButton>
      </div>
    </header>
  )
}

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

function Company({ id, name, about, others }: ActingFor): ReactNode {
  const words = useUiWords().desk
  const face = (
    <>
      <Seal name={name} id={id} size="small" />
      <span className={classes.text}>
        <b>{name}</b>
        <small>{about}</small>
      </span>
    </>
  )
  if (others.length === 0) return <div className={classes.company}>{face}</div>
  return (
    <MenuButton label={words.switchCompany} isNamedByContent items={others} className={classes.company} hasChevron>
      {face}
      <Unseen>{words.switchCompany}</Unseen>
    </MenuButton>
  )
}

function Group({ title, places }: { readonly title: string | undefined; readonly places: readonly Place[] }) {
  return (
    <>
      {title === undefined ? null : <h2 className={classes.title}>{title}</h2>}
      <ul>
        {places.map(({ href, name, icon, isHere, count }) => (
          <li key={href}>
            <a href={href} aria-current={isHere ? 'page' : undefined}>
              {icon}
              {name}
              {count === undefined || count.of === 0 ? null : <Count {...count} />}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The side and the page beside it. */
export function DeskFrame({ side, children }: { readonly side: ReactNode; readonly children: ReactNode }): ReactNode {
  const words = useUiWords().desk
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#page" onClick={skipToPage}>
        {words.skip}
      </a>
      {side}
      <div className={classes.page} id="page">
        {children}
      </div>
    </div>
  )
}

function skipToPage(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#page h1')?.focus()
}
