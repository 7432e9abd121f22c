//! What all search sources on the network have in common: the days, the pages, the double, the turns, the refusals.

pub(crate) mod courtesy;
pub(crate) mod feed_list;
pub(crate) mod merge;
pub(crate) mod pages;
pub(crate) mod reach;
pub(crate) mod reading;
pub(crate) mod refusal;
pub(crate) mod services;
pub(crate) mod web_search;
