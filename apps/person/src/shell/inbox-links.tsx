import { useLocation } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { useWords } from '../words/index.ts'
import classes from './inbox-links.module.css'

/** The two halves of the inbox. */
export function InboxLinks(): ReactNode {
  const { papers, messages, shell } = useWords()
  const { path } = useLocation()
  const halves = [
    { to: href('papers'), name: papers.title },
    { to: href('messages'), name: messages.title },
  ]
  return (
    <nav className={classes.halves} aria-label={shell.dock.inbox}>
      {halves.map(({ to, name }) => (
        <a key={to} href={to} aria-current={path === to ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
