import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

/** Shows short news. */
const News = () => <Notifications position="bottom-right" />

export default News
