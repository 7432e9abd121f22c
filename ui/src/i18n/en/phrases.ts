// What the window says in other words than the terminal: it names no commands and no options.
export const phrases: Record<string, string> = {
  "While no window is open nothing begins by itself, because the system has no timer for it: {why}. Let something else run `galley schedule run-due` each minute":
    "While no window is open nothing begins by itself, because the system has no timer for it: {why}",
  "The tool server `{name}` cannot be used: {why}. `galley tool-server test {name}` tries it again":
    "The tool server `{name}` cannot be used: {why}. Test it in the settings under “Tool servers”",
  "The tool server `{name}` asks you to sign in: `galley tool-server sign-in {name}`":
    "The tool server `{name}` asks you to sign in, in the settings under “Tool servers”",
  "The tool server `{name}` does not allow this to the account that you signed in with; sign in with another: `galley tool-server sign-in {name}`":
    "The tool server `{name}` does not allow this to the account that you signed in with; sign in with another in the settings under “Tool servers”",
  "The tool server `{name}` asks for more than you allowed: {scopes}. If you allow it, sign in again with `galley tool-server sign-in {name}`":
    "The tool server `{name}` asks for more than you allowed: {scopes}. If you allow it, sign in again in the settings under “Tool servers”",
  "The sign-in at the tool server `{name}` is over; sign in again: `galley tool-server sign-in {name}`":
    "The sign-in at the tool server `{name}` is over; sign in again in the settings under “Tool servers”",
  "The tool server `{name}` lets no program register itself. Register Galley there, then give the client ID: `galley tool-server sign-in {name} --client ID`":
    "The tool server `{name}` lets no program register itself. Register Galley there, then sign in with the client ID",
  "A worker needs a queue: `--queue nats://HOST:PORT`, or the setting `queue.url`":
    "A worker needs a queue: its address, or the setting `queue.url`",
  "A worker needs a role: `--role ResearchAgent`": "A worker needs a role, for example `ResearchAgent`",
  "No worker of the role `{role}` was heard of at {address} for {seconds} s. Start one: `galley worker --role {role} --queue {address}`":
    "No worker of the role `{role}` was heard of at {address} for {seconds} s. Start one, or clear the queue in the settings under “Workers”",
  "This worker asks no model with the profile `{profile}` for others; start it with `--profile {profile}` where it may":
    "This worker asks no model with the profile `{profile}` for others; it has to be started with a permission for it",
  "This worker does not call `{tool}` for others; start it with `--allow {tool}` where it may":
    "This worker does not call `{tool}` for others; it has to be started with a permission for it",
  "The queue {address} refused the credentials. Save the right ones: `galley queue set {address} --key-stdin`":
    "The queue {address} refused the credentials. Save the right ones in the settings under “Workers”",
  "There is no tool server `{name}`; add it with `galley tool-server add {name}`":
    "There is no tool server `{name}`; add it in the settings under “Tool servers”",
  "Profile `{name}` has no key here. Open the profile and save one, or `galley profile add {name} … --key-stdin`":
    "Profile `{name}` has no key here. Open the profile and save one",
  "Profile `{name}` names no model for the role `{role}`; add one: `galley profile add {name} --model default=NAME …`":
    "Profile `{name}` names no model for the role `{role}`; add one",
  "The built-in profile cannot be removed; `galley profile list` names the others":
    "The built-in profile cannot be removed",
  "Profile `{name}` works without a model, so there is none to list; `galley profile list` names the others":
    "Profile `{name}` works without a model, so there is none to list",
  "No data folder is known; name one with --data-dir or GALLEY_DATA_DIR": "No data folder is known",
  "The data folder {folder} cannot be made or written: {error}; choose another with --data-dir or mend its permissions":
    "The data folder {folder} cannot be made or written: {error}; fix its permissions",
  "The database is open here and in use; close Galley, then run `galley recover`":
    "The database is open here and in use; close Galley and start it again to choose how to continue",
  "The file {file} is there already; add --yes to replace it": "The file {file} is there already; name another",
  "`{pipeline}` needs the input `{key}`; for example {example}": "`{pipeline}` needs the input `{key}`",
  "Put the price into `prices.toml` in the data folder (0 where nobody is paid) and resume the run, or resume it with --limit max_cost=none":
    "Put the price into `prices.toml` in the data folder (0 if it is free) and resume the run, or resume it without the limit",
  "Raise it with `--limit max_output_tokens=N` (`AGENT.max_output_tokens=N` for one agent) in a new run or a fork, or in the pipeline, or correct the answer by hand":
    "Raise it in the limits of a new run or a fork, or in the pipeline, or correct the answer by hand",
  "This run waits for no answer; `galley show RUN` tells how it stands": "This run waits for no answer",
  "{server} does not know model `{model}`; it lists {names}. Name one of them in profile `{profile}`; `galley models {profile}` lists them all.":
    "{server} does not know model `{model}`; it lists {names}. Name one of them in profile `{profile}`.",
  "Key of profile `{profile}` was refused by {server}{status_words}; check it with `galley profile test {profile}`.":
    "Key of profile `{profile}` was refused by {server}{status_words}.",
  "{server} does not know model `{model}` (any more), or is not the right address{status_words}; `galley models {profile}` lists the models there are, else check the base URL.":
    "{server} does not know model `{model}` (any more), or is not the right address{status_words}; check the model and the base URL of profile `{profile}`.",
  "{host} was not contacted: {reason}. If it is meant, add its base URL: `galley config set net.allow URL`":
    "{host} was not contacted: {reason}. If it is meant, allow its base URL in the settings",
  "The browser loaded the page of {host} past Galley, so it is not used; remove the proxy that a policy of this machine sets for the browser, or switch the browser off: `galley config set net.browser false`":
    "The browser loaded the page of {host} past Galley, so it is not used; remove the proxy that a policy of this machine sets for the browser, or switch the browser off in the settings",
  "The browser is switched off; switch it on: `galley config set net.browser true`":
    "The browser is switched off; switch it on in the settings",
  "The browser cannot start its sandbox here, and without one it opens no page; allow user namespaces on this machine or switch the browser off: `galley config set net.browser false`":
    "The browser cannot start its sandbox here, and without one it opens no page; allow user namespaces on this machine or switch the browser off in the settings",
  "“{title}” needs a tool for `{slot}`; name one, for example `--source library`":
    "“{title}” needs a tool for `{slot}`; choose one",
  "The data folder {folder} cannot be written ({error}). Make it writable, or choose another one with --data-dir or GALLEY_DATA_DIR.":
    "The data folder {folder} cannot be written ({error}). Make it writable.",
  "{file} is a link or no regular file, so the database is not opened. Put the file itself there, or name the folder in which it lies with --data-dir or GALLEY_DATA_DIR.":
    "{file} is a link or no regular file, so the database is not opened. Put the file itself there.",
  "`galley recover` begins with the newest backup, {backup}, or empty.":
    "Start Galley again to begin with the newest backup, {backup}, or empty.",
  "`galley recover` sets aside what is left of it and begins empty.":
    "Start Galley again to set aside what is left of it and begin empty.",
  "The database {file} was written by a newer Galley (its format is {found}, this program knows up to {known}). Update Galley, or choose another data folder with --data-dir or GALLEY_DATA_DIR.":
    "The database {file} was written by a newer Galley (its format is {found}, this program knows up to {known}). Update Galley.",
  "The data folder {folder} cannot be made or written ({error}). Make it writable, or choose another one with --data-dir or GALLEY_DATA_DIR.":
    "The data folder {folder} cannot be made or written ({error}). Make it writable.",
  "There is no backup yet: `galley recover` sets it aside with its log and begins with what can be read of it.":
    "There is no backup yet. Start Galley again to set it aside with its log and begin with what can be read of it.",
  "`galley recover` sets it aside with its log and begins with the newest backup, {backup}, or with what can be read of it.":
    "Start Galley again to set it aside with its log and begin with the newest backup, {backup}, or with what can be read of it.",
  "The data folder {folder} is a file. Choose a folder with --data-dir or GALLEY_DATA_DIR.":
    "The data folder {folder} is a file. Choose a folder.",
  "{title} needs the id of your search engine: `galley config set services.google-cse.engine ID`":
    "{title} needs the id of your search engine; set it in the settings",
  "{service} requires a contact address; set your e-mail address or a URL: `galley config set net.contact ADDRESS`":
    "{service} requires a contact address; enter one in the settings, under the sources for searching",
  "{title} has no base URL yet; set where it is: `galley config set services.{service}.base_url URL`":
    "{title} has no base URL yet; set where it is in the settings",
  "The base URL of {title} is not an address of the web; set it anew: `galley config set services.{service}.base_url URL`":
    "The base URL of {title} is not an address of the web; correct it in the settings",
  "{title} needs a key; get one at {page} and name the environment variable that holds it: `galley config set services.{name}.key_env VARIABLE`":
    "{title} needs a key; get one at {page} and name the environment variable that holds it in the settings",
  "This run asks several questions: {ids}. Say which one is answered; `galley show RUN --questions` lists them":
    "This run asks several questions: {ids}. Say which one is answered",
  "This run does not ask question {id}; `galley show RUN --questions` lists what it asks":
    "This run does not ask question {id}",
  "`{tool}` may not act without permission, and nobody was there to be asked; allow it with `--allow {tool}`":
    "`{tool}` may not act without permission, and nobody was there to be asked; allow `{tool}` in the settings, under “What tools may do”",
  "{address}, models: {models}; no profile asks it, `galley profile find --add` adds one":
    "{address}, models: {models}; no profile asks it, “Use a model” adds one",
  "Start the server with a larger window (`--max-model-len TOKENS`).":
    "Start the server with a larger window (its option `max-model-len`).",
  "There is a set `{name}` already. Choose another name, or replace it with --replace":
    "There is a set `{name}` already. Choose another name, or replace it",
  "There is no data set `{name}`. `galley set list` shows those there are": "There is no data set `{name}`",
  "There is no evaluation `{id}`. `galley eval list` shows those there are": "There is no evaluation `{id}`",
};
