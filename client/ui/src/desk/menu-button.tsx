import { ChevronsUpDown } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import type { MenuItem, MenuProps } from './menu.tsx'
import classes from './menu.module.css'

export interface MenuButtonProps {
  /** What the menu is; also the name of the button, where it shows no words. */
  readonly label: string
  /** The button has words of its own: they are its name. */
  readonly isNamedByContent?: boolean
  readonly items: readonly MenuItem[]
  readonly className?: string | undefined
  readonly hasChevron?: boolean
  readonly children: ReactNode
}

let menu: Promise<ComponentType<MenuProps>> | null = null

function loadMenu(): Promise<ComponentType<MenuProps>> {
  menu ??= import('./menu.tsx').then((loaded) => loaded.default)
  return menu
}

/** Opens a menu. What draws it is larger than a page, so it is loaded when the button is first touched. */
export function MenuButton({ hasChevron = false, children, ...about }: MenuButtonProps): ReactNode {
  const [Menu, setMenu] = useState<ComponentType<MenuProps> | null>(null)
  const [isWanted, setWanted] = useState(false)
  const content = (
    <>
      {children}
      {hasChevron ? <ChevronsUpDown className={classes.chevron} size={16} aria-hidden /> : null}
    </>
  )
  const load = (): void =>
    void loadMenu().then(
      (loaded) => setMenu(() => loaded),
      () => (menu = null),
    )
  if (Menu !== null && isWanted) return <Menu {...about}>{content}</Menu>
  return (
    <button
      type="button"
      className={about.className ?? classes.trigger}
      aria-label={about.isNamedByContent === true ? undefined : about.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => {
        load()
        setWanted(true)
      }}
    >
      {content}
    </button>
  )
}
