import { DatabaseSync } from 'node:sqlite'

const TABLES = `
  pragma journal_mode = wal;
  create table if not exists customer (connection_id text primary key, name text not null, copy integer not null) strict;
  create table if not exists field (
    connection_id text not null references customer on delete cascade, slug text not null, text text not null,
    primary key (connection_id, slug)
  ) strict;
  create table if not exists event (no integer primary key, id text not null unique, kind text not null) strict;
  create table if not exists copy (no integer primary key) strict;`

/** Customers, their fields and the events that are contained already, in one SQLite file. Replace it by your database. */
export class Crm {
  #db
  #copy = 0

  constructor(file) {
    this.#db = new DatabaseSync(file)
    this.#db.exec(TABLES)
    this.#copy = this.#row('select max(no) as no from copy').no ?? 0
  }

  /** False until a copy is complete: one that was interrupted starts again. */
  get isCopied() {
    return this.#copy > 0
  }

  /** Customers that were not put in since the last copy have left. */
  completeCopy() {
    this.#transaction(() => {
      this.#run('delete from customer where copy <> ?', this.#copy + 1)
      this.#run('insert into copy (no) values (?)', this.#copy + 1)
    })
    this.#copy += 1
  }

  copyCustomer(customer) {
    this.#transaction(() => this.#replaceCustomer(customer, this.#copy + 1))
  }

  /** The event and its effect are written together, or neither is. Returns false for an event that came before. */
  applyOnce({ id, kind }, edit) {
    return this.#transaction(() => {
      const { changes } = this.#run('insert or ignore into event (id, kind) values (?, ?)', id, kind)
      if (changes > 0) edit(this)
      return changes > 0
    })
  }

  putCustomer(customer) {
    this.#replaceCustomer(customer, this.#copy)
  }

  deleteCustomer(id) {
    this.#run('delete from customer where connection_id = ?', id)
  }

  /** Of a customer who has left since, nothing is kept. */
  putField(id, slug, text) {
    const known = 'select connection_id, ?, ? from customer where connection_id = ?'
    this.#run(`insert or replace into field (connection_id, slug, text) ${known}`, slug, text, id)
  }

  deleteField(id, slug) {
    this.#run('delete from field where connection_id = ? and slug = ?', id, slug)
  }

  close() {
    this.#db.close()
  }

  #replaceCustomer({ id, name, fields }, copy) {
    this.deleteCustomer(id)
    this.#run('insert into customer (connection_id, name, copy) values (?, ?, ?)', id, name, copy)
    for (const [slug, text] of Object.entries(fields)) this.putField(id, slug, text)
  }

  #transaction(work) {
    this.#db.exec('begin immediate')
    try {
      const result = work()
      this.#db.exec('commit')
      return result
    } catch (error) {
      this.#db.exec('rollback')
      throw error
    }
  }

  #run(sql, ...values) {
    return this.#db.prepare(sql).run(...values)
  }

  #row(sql) {
    return this.#db.prepare(sql).get()
  }
}
