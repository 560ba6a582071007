// The pages in the order of the sidebar, by what readers want to do (Diátaxis): learn, solve a task, look something up.

import { apiPages } from '../typescript-api.ts'

const page = (text: string, link: string) => ({ text, link })

export const sidebar = [
  {
    text: 'Start',
    items: [
      page('Overview', '/'),
      page('Quick start', '/quick-start'),
      page('Tutorial', '/tutorial'),
      page('Concepts', '/concepts'),
      page('Comparison', '/comparison'),
      page('Questions and answers', '/questions'),
      page('Glossary', '/glossary'),
    ],
  },
  {
    text: 'Guides: build',
    items: [
      page('Model your data', '/model'),
      page('Rules and permissions', '/permissions'),
      page('Hooks', '/hooks'),
      page('Endpoints', '/endpoints'),
      page('Records in code', '/records'),
      page('Modules and settings', '/modules'),
      page('Jobs', '/jobs'),
      page('Extend the web client', '/web-client'),
      page('Branding and languages', '/branding'),
      page('E-mails', '/mail'),
      page('Testing', '/testing'),
    ],
  },
  {
    text: 'Guides: call the API',
    items: [
      page('From TypeScript', '/client'),
      page('From curl', '/curl'),
      page('From Python', '/python'),
      page('From react-admin', '/react-admin'),
      page('From a mobile app', '/mobile'),
    ],
  },
  {
    text: 'Guides: use',
    items: [
      page('Accounts', '/accounts'),
      page('Files', '/files'),
      page('File fields', '/file-fields'),
      page('Realtime', '/realtime'),
      page('SCIM', '/scim'),
      page('Webhooks', '/webhooks'),
      page('Import and export', '/import-export'),
      page('History', '/history'),
      page('Full-text search', '/search'),
      page('Trash', '/trash'),
    ],
  },
  {
    text: 'Guides: operate',
    items: [
      page('Deployment and operations', '/operations'),
      page('Backup and restore', '/backup'),
      page('Upgrades and migrations', '/upgrades'),
      page('Trace a slow request', '/trace'),
      page('Authentication and security', '/security'),
      page('Security standard', '/asvs'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('HTTP API', '/http-api'),
      page('Query language', '/queries'),
      page('Releases and stability', '/releases'),
      page('Formats and writing records', '/formats'),
      page('Field types', '/field-types'),
      page('Rule language', '/rules'),
      page('Settings', '/settings'),
      page('Problems and error codes', '/errors'),
      page('Commands', '/commands'),
    ],
  },
  { text: 'TypeScript API', items: apiPages.map(({ title, name }) => page(title, `/api/${name}`)) },
  { text: 'Modules', items: [page('Rental', '/rental'), page('Membership', '/membership')] },
]
