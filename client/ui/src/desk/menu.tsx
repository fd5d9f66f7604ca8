import { CSPProvider } from '@base-ui/react/csp-provider'
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import classes from './menu.module.css'

/** Leads somewhere or does something. */
export interface MenuItem {
  readonly name: string
  readonly about?: string
  readonly icon?: ReactNode
  readonly href?: string
  readonly onChoose?: () => void
  /** What cannot be taken back; it stands apart from the others. */
  readonly isGrave?: boolean
  /** Why it cannot be chosen now. */
  readonly whyNot?: string | undefined
  /** The one of several that holds now. */
  readonly isChosen?: boolean
}

export interface MenuProps {
  readonly label: string
  readonly isNamedByContent?: boolean
  readonly items: readonly MenuItem[]
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Open from the beginning: it is drawn when its button was pressed. */
export default function Menu({ label, isNamedByContent = false, items, className, children }: MenuProps): ReactNode {
  const plain = items.filter(({ isGrave }) => isGrave !== true)
  const grave = items.filter(({ isGrave }) => isGrave === true)
  return (
    <CSPProvider disableStyleElements>
      <Base.Root defaultOpen>
        <Base.Trigger className={className ?? classes.trigger} aria-label={isNamedByContent ? undefined : label}>
          {children}
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner className={classes.place} sideOffset={4} align="start">
            <Base.Popup className={classes.menu} aria-label={label}>
              {plain.map((item) => (
                <Item key={item.name} {...item} />
              ))}
              {plain.length > 0 && grave.length > 0 ? <Base.Separator className={classes.line} /> : null}
              {grave.map((item) => (
                <Item key={item.name} {...item} />
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

function Item({ name, about, icon, href, onChoose, isGrave, whyNot, isChosen }: MenuItem): ReactNode {
  const text = whyNot ?? about
  const content = (
    <>
      {icon}
      <span className={classes.text}>
        {name}
        {text === undefined ? null : <small>{text}</small>}
      </span>
      {isChosen === true ? <Check size={16} aria-hidden /> : null}
    </>
  )
  const className = isGrave === true ? `${classes.item} ${classes.grave}` : classes.item
  if (href !== undefined && whyNot === undefined)
    return (
      <Base.LinkItem
        className={className}
        href={href}
        closeOnClick
        aria-current={isChosen === true ? 'true' : undefined}
      >
        {content}
      </Base.LinkItem>
    )
  return (
    <Base.Item className={className} disabled={whyNot !== undefined} onClick={() => onChoose?.()}>
      {content}
    </Base.Item>
  )
}
