import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import classes from './button.module.css'

export type ButtonLook = 'main' | 'plain' | 'bare' | 'danger'

interface Look {
  readonly look?: ButtonLook
  readonly isWide?: boolean
  readonly icon?: ReactNode
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** What is going on; the button waits with these words. */
  readonly busy?: string | null
}

export function Button({
  look,
  isWide,
  icon,
  busy = null,
  type = 'button',
  children,
  ...rest
}: ButtonProps): ReactNode {
  const isBusy = busy !== null
  return (
    <button {...rest} type={type} className={classesOf(look, isWide)} disabled={rest.disabled === true || isBusy}>
      {isBusy ? null : icon}
      {isBusy ? <span role="status">{busy}</span> : children}
    </button>
  )
}

export interface ButtonLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement>, Look {
  readonly href: string
}

/** A link that looks like a button: it leads somewhere and does nothing. */
export function ButtonLink({ look, isWide, icon, children, ...rest }: ButtonLinkProps): ReactNode {
  return (
    <a {...rest} className={classesOf(look, isWide)}>
      {icon}
      {children}
    </a>
  )
}

export function Buttons({
  isStacked = false,
  children,
}: {
  readonly isStacked?: boolean
  readonly children: ReactNode
}) {
  return <div className={isStacked ? `${classes.buttons} ${classes.stacked}` : classes.buttons}>{children}</div>
}

const LOOKS: Readonly<Record<ButtonLook, string | null>> = {
  main: classes.main,
  plain: null,
  bare: classes.bare,
  danger: classes.danger,
}

function classesOf(look: ButtonLook = 'plain', isWide = false): string {
  return [classes.button, LOOKS[look], isWide ? classes.wide : null].filter((name) => name !== null).join(' ')
}
