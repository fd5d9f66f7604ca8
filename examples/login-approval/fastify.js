import { fastify } from 'fastify'
import { beginLogin, COOKIE, page, readLogin, userOf } from './site.js'

const app = fastify()

app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))

app.get('/me', (request) => ({ user: userOf(cookieOf(request, 'session')) }))

app.post('/login', async (request, reply) => {
  const { id, state, digits } = await beginLogin(String(request.body?.name ?? ''))
  setCookie(reply, 'attempt', id)
  return { state, digits }
})

app.get('/login', async (request, reply) => {
  const { state, session } = readLogin(cookieOf(request, 'attempt'))
  if (session !== undefined) setCookie(reply, 'session', session)
  reply.header('cache-control', 'no-store')
  return { state }
})

function setCookie(reply, name, value) {
  const { path } = COOKIE
  reply.header('set-cookie', `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict`)
}

function cookieOf(request, name) {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('='))
  return pairs.find(([key]) => key === name)?.[1] ?? ''
}

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' }))
